//! `hamcnf methods`: the list of methods.

use hamcnf::Named;
use hamcnf::method::{self, Class, Method, Operand};
use serde_json::{Value, json};

use super::encodings::columns;
use super::exit::DONE;
use super::output;

/// Print the methods and their settings
///
/// Write a method as NAME+SETTING=VALUE:ENCODING, such as sample+states=1000 or prove+form=lrat:binary. The name of an
/// encoding is also a method: CaDiCaL solves the formula of the encoding.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf solve graph.hcp --method propagator
  hamcnf count 8x8 --method sample+states=50000
  hamcnf compare 6x6 --methods auto,binary,count,sample")]
pub(crate) struct Args {
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// Classes and their headings, in the order of the output.
const CLASSES: [(Class, &str); 7] = [
    (Class::Encoding, "Encodings (see `hamcnf encodings`)"),
    (Class::Solver, "Solvers"),
    (Class::Search, "Searches without clauses"),
    (Class::Count, "Counts"),
    (Class::Proof, "Proofs"),
    (Class::Size, "Sizes"),
    (Class::Program, "External solvers"),
];

pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let methods = method::all();
    output::print(|out| {
        if args.json {
            let methods: Vec<_> = methods.iter().map(object).collect();
            return output::json(out, &methods);
        }
        for (k, (class, heading)) in CLASSES.into_iter().enumerate() {
            let of_class = methods.iter().filter(|method| method.class() == class);
            let gap = if k == 0 { "" } else { "\n" };
            writeln!(out, "{gap}{heading}")?;
            columns(out, of_class.flat_map(rows))?;
        }
        Ok(())
    })?;
    Ok(DONE)
}

/// Returns the rows of a method: first its name and summary, then its settings.
fn rows(method: &Method) -> Vec<[String; 2]> {
    let operand = match method.profile().operand {
        Operand::None => "",
        Operand::Optional => "[:ENCODING]",
        Operand::Required => ":ENCODING",
    };
    let head = format!("{}{operand}", method.name());
    let mut rows = vec![[head, method.profile().summary.to_owned()]];
    for setting in method.settings() {
        let text = format!("  +{}={}", setting.name, setting.value);
        rows.push([text, setting.summary.to_owned()]);
    }
    rows
}

/// Returns the object that `--json` prints about a method. Its `encoding` is `optional` or `required` for an encoding
/// after the method's name, and `null` if the method accepts no encoding.
fn object(method: &Method) -> Value {
    let settings = method.settings().into_iter();
    let settings =
        settings.map(|setting| json!({ "name": setting.name, "value": setting.value, "summary": setting.summary }));
    let profile = method.profile();
    json!({
        "name": method.name(),
        "class": method.class().as_str(),
        "summary": profile.summary,
        "encoding": match profile.operand {
            Operand::None => None,
            Operand::Optional => Some("optional"),
            Operand::Required => Some("required"),
        },
        "settings": settings.collect::<Vec<_>>(),
        "random": profile.random,
    })
}
