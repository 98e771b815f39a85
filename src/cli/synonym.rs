//! What people write who know other programs, and what it is called here.

/// Words for one thing, and what there is of it here.
pub(crate) struct Synonym {
    /// Options as they are typed, without their dashes.
    pub(crate) typed: &'static [&'static str],
    /// Those of which the command has one or the other.
    pub(crate) options: &'static [Meant],
    /// What to say where it has none of them.
    pub(crate) otherwise: Option<Remark>,
}

/// An option of this program.
pub(crate) struct Meant {
    /// Its long name.
    pub(crate) option: &'static str,
    /// The value to write behind it.
    pub(crate) value: Option<&'static str>,
    /// The command of which it means that, if not of all that have it.
    pub(crate) of: Option<&'static str>,
}

/// A sentence instead of an option.
pub(crate) struct Remark {
    pub(crate) says: &'static str,
    /// For which commands it is true.
    pub(crate) of: Which,
}

/// Some commands.
pub(crate) enum Which {
    All,
    /// Those that have this option.
    WithOption(&'static str),
    /// Those that take this word, by its name in their usage.
    WithWord(&'static str),
}

const fn option(option: &'static str) -> Meant {
    Meant {
        option,
        value: None,
        of: None,
    }
}

const fn with(option: &'static str, value: &'static str) -> Meant {
    Meant {
        option,
        value: Some(value),
        of: None,
    }
}

const fn only(option: &'static str, value: &'static str, of: &'static str) -> Meant {
    Meant {
        option,
        value: Some(value),
        of: Some(of),
    }
}

const fn is(typed: &'static [&'static str], options: &'static [Meant]) -> Synonym {
    Synonym {
        typed,
        options,
        otherwise: None,
    }
}

const fn says(typed: &'static [&'static str], says: &'static str, of: Which) -> Synonym {
    let otherwise = Some(Remark { says, of });
    Synonym {
        typed,
        options: &[],
        otherwise,
    }
}

/// Names of options.
pub(crate) const OPTIONS: &[Synonym] = &[
    says(
        &[
            "closed",
            "close",
            "cycle",
            "cycles",
            "circuit",
            "re-entrant",
        ],
        "tours are closed unless --open is given",
        Which::WithOption("open"),
    ),
    is(&["path", "paths", "open-tour"], &[option("open")]),
    says(
        &["undirected"],
        "closed tours are counted undirected unless --directed is given",
        Which::WithOption("directed"),
    ),
    is(
        &["silent", "no-progress", "no-warnings"],
        &[option("quiet")],
    ),
    is(&["debug", "progress"], &[option("verbose")]),
    is(
        &[
            "timeout",
            "time-out",
            "time",
            "max-time",
            "wall-time",
            "wall",
            "deadline",
            "seconds",
            "t",
        ],
        &[option("time-limit")],
    ),
    is(
        &["limit", "limits", "max"],
        &[
            option("time-limit"),
            option("memory-limit"),
            option("node-limit"),
            option("restart-limit"),
            option("first"),
        ],
    ),
    is(
        &["memory", "mem", "max-memory", "ram", "m"],
        &[option("memory-limit")],
    ),
    is(
        &["nodes", "max-nodes", "steps", "max-steps"],
        &[option("node-limit")],
    ),
    is(
        &["restarts", "max-restarts", "tries"],
        &[option("restart-limit")],
    ),
    is(
        &["jobs", "cpus", "cores", "workers", "parallel", "j"],
        &[option("threads")],
    ),
    is(&["random-seed", "rng", "random", "s"], &[option("seed")]),
    is(
        &["svg", "image", "picture", "draw", "plot", "figure"],
        &[
            with("render", "tour.svg"),
            only("output", "tour.svg", "show"),
        ],
    ),
    is(
        &["png"],
        &[
            with("render", "tour.png"),
            only("output", "tour.png", "show"),
        ],
    ),
    Synonym {
        typed: &[
            "output",
            "out",
            "output-file",
            "outfile",
            "file",
            "save",
            "write",
            "o",
        ],
        options: &[
            option("output"),
            option("render"),
            option("dot"),
            option("list"),
        ],
        otherwise: Some(Remark {
            says: "results go to standard output, which '> FILE' keeps",
            of: Which::All,
        }),
    },
    is(&["format", "output-format"], &[option("json")]),
    is(&["csv"], &[with("format", "csv")]),
    is(&["markdown", "md"], &[with("format", "markdown")]),
    is(&["table"], &[with("format", "table")]),
    is(
        &[
            "algorithm",
            "algo",
            "strategy",
            "engine",
            "solver",
            "how",
            "a",
        ],
        &[option("method"), option("methods"), option("encoding")],
    ),
    is(&["method"], &[option("methods"), option("encoding")]),
    is(&["formula", "cnf", "model"], &[option("encoding")]),
    is(
        &["amo", "at-most", "atmostone", "cardinality"],
        &[option("at-most-one")],
    ),
    is(&["prune", "preprocess"], &[option("pruning")]),
    is(
        &["symmetry", "symmetries", "direction", "symmetry-breaking"],
        &[option("orientation")],
    ),
    is(
        &[
            "from",
            "begin",
            "origin",
            "source",
            "first-square",
            "square",
        ],
        &[option("start")],
    ),
    is(&["piece", "knight", "jump", "leap"], &[option("leaper")]),
    is(
        &["tie", "tie-break", "ties-by", "tiebreak"],
        &[option("ties")],
    ),
    is(&["moves", "move-order"], &[option("order")]),
    is(
        &["samples", "number-of-tours", "n", "k"],
        &[option("number"), option("states"), option("first")],
    ),
    is(&["tolerance", "eps"], &[option("epsilon")]),
    is(&["confidence"], &[option("delta")]),
    is(
        &["projection", "projected", "sampling-set", "show"],
        &[option("project")],
    ),
    is(
        &["names", "variable-names", "var-names"],
        &[option("varnames")],
    ),
    is(&["all", "enumerate", "tours"], &[option("list")]),
    is(&["per-start", "by-square", "starts"], &[option("by-start")]),
    is(&["families", "family"], &[option("by-family")]),
    is(&["restart", "again", "force"], &[option("fresh")]),
    is(&["verify", "compare"], &[option("check")]),
    says(
        &[
            "color",
            "colour",
            "colors",
            "colours",
            "no-color",
            "no-colour",
        ],
        "colours are for terminals only, and NO_COLOR=1 turns them off",
        Which::All,
    ),
    says(
        &[
            "board",
            "size",
            "rows",
            "cols",
            "columns",
            "width",
            "height",
            "dimensions",
            "b",
            "n",
        ],
        "the board is a word of its own, such as 8x8",
        Which::WithWord("BOARD|GRAPH"),
    ),
    says(
        &["graph", "input", "i", "g"],
        "the file with the graph is a word of its own, such as graph.col",
        Which::WithWord("BOARD|GRAPH"),
    ),
    says(
        &["input", "i"],
        "the file is a word of its own",
        Which::WithWord("FILE"),
    ),
    says(
        &["number"],
        "a search finds one tour, and 'hamcnf solve --number N' several different ones",
        Which::WithOption("ties"),
    ),
    says(&["version"], "'hamcnf --version' says it", Which::All),
];

/// Names of commands, each with its own.
pub(crate) const COMMANDS: &[(&[&str], &str)] = &[
    (&["size", "table", "table1", "stats"], "sizes"),
    (
        &["cnf", "dimacs", "generate", "gen", "export", "write"],
        "encode",
    ),
    (&["sat", "find", "cadical"], "solve"),
    (
        &["search", "warnsdorff", "backtrack", "walk", "knight"],
        "tour",
    ),
    (&["model", "read", "import"], "decode"),
    (&["draw", "render", "print", "view", "plot"], "show"),
    (&["validate", "test"], "check"),
    (&["prove", "proof", "certify", "drat", "lrat"], "verify"),
    (&["number", "enumerate", "approxmc", "ganak"], "count"),
    (&["sample", "random"], "sample-tour"),
    (&["queen", "nqueens", "n-queens"], "queens"),
    (&["methods"], "compare"),
    (&["bench", "benchmarks", "suite"], "benchmark"),
    (&["completion", "complete"], "completions"),
    (&["manual", "manpage", "manpages"], "man"),
    (&["experiment", "reproduce"], "run"),
];

/// What the values of an option are called where its name does not say it.
pub(crate) const VALUES: &[(&str, &str)] = &[
    ("at-most-one", "at-most-one encoding"),
    ("methods", "method"),
    ("project", "projection set"),
    ("projection-format", "projection format"),
    ("ranks", "direction"),
    ("ties", "rule for ties"),
];
