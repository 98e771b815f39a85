//! Tours as JSON: the fields of a record ([`JsonTour`]), written and read.

use hamcnf_graph::{Digraph, Graph, Named, Numbering, VertexNames, VertexWords};
use hamcnf_tours::{BoardError, HoledBoard, Instance, Piece, Tour, constraint};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Claim, Hints, NamedGraph, Place, Reason, checksum, has_enough, one_of};

/// Fields of a record that contain a tour. Other commands than those that run a method print these fields too.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct JsonTour {
    /// Names of the vertices in order; `None` if there is no tour.
    pub tour: Option<Vec<String>>,
    /// Kind of the names, see [`numbering`]; `None` for queens.
    pub numbering: Option<&'static str>,
    /// Names and values of the details of the question and the method.
    pub details: Map<String, Value>,
}

impl JsonTour {
    /// Returns the fields of a record about tours of the instance, without a tour.
    pub fn new(instance: &Instance) -> Self {
        let tour = Self { tour: None, numbering: Some(numbering(instance)), details: Map::new() };
        let mut tour = tour
            .with("instance", instance.name())
            .with("tours", instance.kind().as_str())
            .with("start", instance.vertex_name(instance.start()));
        if !instance.constraints().is_empty() {
            tour = tour.with("constraints", constraint::texts(instance));
        }
        let piece = instance.squares().map(|squares| squares.board().piece());
        if let Some(piece) = piece.filter(|&piece| piece != Piece::KNIGHT) {
            tour = tour.with("piece", piece.to_text());
            if let Some(leaper) = piece.leaper() {
                tour = tour.with("leaper", json!(leaper.legs()));
            }
        }
        tour
    }

    /// Adds a tour of the instance. The start of `instance` must be the first vertex of the tour.
    pub fn with_tour(mut self, instance: &Instance, tour: &Tour) -> Self {
        self.tour = Some(tour.order().iter().map(|&v| instance.vertex_name(v)).collect());
        let start = instance.vertex_name(instance.start());
        self.with("start", start)
    }

    /// Adds a field to `details`.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.details.insert(name.to_owned(), value.into());
        self
    }

    /// Adds the graph of the instance as the detail `graph`.
    pub fn with_graph(self, instance: &Instance) -> Self {
        let instance = instance.without_constraints();
        let (graph, directed) = (instance.digraph(), instance.is_directed());
        let name = |v| instance.vertex_name(v);
        let edges: Vec<_> = graph.arcs_or_edges(directed).map(|arc| [name(arc.tail), name(arc.head)]).collect();
        let mut object = json!({"vertices": graph.n_vertices(), "edges": edges});
        if directed {
            object["directed"] = true.into();
        }
        if instance.squares().is_none()
            && let Some(words) = instance.vertex_names().words()
        {
            object["names"] = words.iter().collect();
        }
        self.with("graph", object)
    }
}

/// Returns the kind of an instance's vertex names: `squares`, `from-0`, `from-1` or `names`.
pub fn numbering(instance: &Instance) -> &'static str {
    match instance.squares() {
        Some(_) => "squares",
        None => instance.vertex_names().kind(),
    }
}

/// Tour in a file of its own, with the checksum of the graph's edges.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TourFile {
    /// CRC-32 of the graph's edges; `None` for a board.
    graph_crc32: Option<String>,
    #[serde(flatten)]
    tour: JsonTour,
}

impl TourFile {
    /// Returns the file of a tour. The start of `instance` must be the first vertex of the tour.
    pub fn new(instance: &Instance, tour: &Tour) -> Self {
        let graph_crc32 = super::graph_crc32(instance);
        Self { graph_crc32, tour: JsonTour::new(instance).with_tour(instance, tour) }
    }

    /// Returns the file of a tour with the graph. It can be read without the graph's file.
    pub fn with_graph(instance: &Instance, tour: &Tour) -> Self {
        let Self { graph_crc32, tour } = Self::new(instance, tour);
        match instance.squares() {
            Some(_) => Self { graph_crc32, tour },
            None => Self { graph_crc32, tour: tour.with_graph(instance) },
        }
    }
}

/// Fields of a record that are read.
#[derive(Deserialize)]
struct Object {
    graph_crc32: Option<String>,
    tour: Option<Vec<String>>,
    status: Option<String>,
    numbering: Option<String>,
    details: Details,
}

#[derive(Deserialize)]
struct Details {
    class: Option<String>,
    instance: Option<String>,
    piece: Option<String>,
    tours: Option<String>,
    start: Option<String>,
    end: Option<String>,
    #[serde(default)]
    constraints: Vec<String>,
    graph: Option<Edges>,
}

/// Field `graph` of a record's details.
#[derive(Deserialize)]
struct Edges {
    vertices: u32,
    #[serde(default)]
    directed: bool,
    edges: Vec<(String, String)>,
    names: Option<Vec<String>>,
}

/// Reads the JSON objects of a text, which follow each other or are in an array. If an object of the array has a tour,
/// the objects without a tour, such as records of counts, are left out. Returns `None` if the text has no objects.
pub(super) fn read(text: &str, hints: &Hints<'_>) -> Option<Vec<Result<Claim, Reason>>> {
    let text = text.trim_start();
    let objects: Vec<Result<Object, Reason>> = if text.starts_with('{') {
        let objects = serde_json::Deserializer::from_str(text).into_iter();
        objects.map(|object| object.map_err(|error| no_tour(&error))).collect()
    } else if text.strip_prefix('[')?.trim_start().starts_with('{') {
        match serde_json::from_str::<Vec<Object>>(text) {
            Ok(mut objects) => {
                if objects.iter().any(|object| object.tour.is_some()) {
                    objects.retain(|object| object.tour.is_some());
                }
                objects.into_iter().map(Ok).collect()
            }
            Err(error) => vec![Err(no_tour(&error))],
        }
    } else {
        return None;
    };
    Some(objects.into_iter().map(|object| object?.claim(hints)).collect())
}

fn no_tour(error: &serde_json::Error) -> Reason {
    Reason::Other(format!("the JSON does not describe a tour: {error}"))
}

impl Object {
    fn claim(self, hints: &Hints<'_>) -> Result<Claim, Reason> {
        if self.details.class.as_deref() == Some("placements") {
            return Err(Reason::Other("the JSON object is about placements of queens, not about tours".to_owned()));
        }
        let Some(tour) = &self.tour else {
            let status = self.status.map_or(String::new(), |status| format!("; the status is \"{status}\""));
            return Err(Reason::Other(format!("the JSON object has no \"tour\"{status}")));
        };
        let place = self.place(hints, tour.len())?;
        let Details { tours, start, end, constraints, .. } = self.details;
        let order = tour.iter().map(|name| place.vertex(name)).collect::<Result<_, _>>()?;
        let kind = tours.map(|kind| kind.parse()).transpose()?;
        let start = start.map(|name| place.vertex(&name)).transpose()?;
        let end = end.map(|name| place.vertex(&name)).transpose()?;
        Ok(Claim { end, ..place.claim(kind, start, order)?.constrained(&constraints)? })
    }

    fn instance(&self) -> Result<&String, Reason> {
        let missing = || Reason::Other("the JSON object does not name the instance of the tour".to_owned());
        self.details.instance.as_ref().ok_or_else(missing)
    }

    /// Returns the board or graph of the tour. The edges and the checksum in the text, if any, must agree with it.
    fn place(&self, hints: &Hints<'_>, n_of_tour: usize) -> Result<Place, Reason> {
        let (listed, said) = (self.listed_graph(n_of_tour)?, self.graph_crc32.as_ref());
        if let Some(graph) = hints.graph {
            if let Some(listed) = listed {
                graph.is_of(Some(&checksum(listed.graph.digraph())))?;
            }
            graph.is_of(said)?;
            return Ok(Place::Graph(graph.clone()));
        }
        if let Some(listed) = listed {
            return Ok(Place::Graph(listed));
        }
        let name = self.instance()?;
        let board = match name.parse::<HoledBoard>() {
            Ok(board) if said.is_none() => board,
            Ok(_) | Err(BoardError::Syntax(_)) => {
                let Some(find) = hints.find else {
                    return Err(Reason::Other(format!(
                        "the tour is on the graph \"{name}\", which the text does not contain; name the graph with --graph"
                    )));
                };
                let graph = find(name).map_err(|error| {
                    Reason::Other(format!("the graph of the tour was not found: {error}; name the graph with --graph"))
                })?;
                graph.is_of(said)?;
                return Ok(Place::Graph(graph));
            }
            Err(error) => return Err(error.into()),
        };
        let field = self.details.piece.as_deref().map(str::parse).transpose().map_err(BoardError::from)?;
        // A board whose name contains no piece is parsed as a knight's board, so a knight does not count as specified.
        let said = Some(board.board().piece()).filter(|&piece| piece != Piece::KNIGHT);
        let board = board.with(one_of(said, field)?)?;
        hints.place(board, said.or(field))
    }

    /// Returns the graph that the text contains, if any.
    fn listed_graph(&self, n_of_tour: usize) -> Result<Option<NamedGraph>, Reason> {
        let numbering = self.numbering.as_deref();
        // A board needs no list of edges: its name defines it.
        let Some(graph) = self.details.graph.as_ref().filter(|_| numbering != Some("squares")) else { return Ok(None) };
        let &Edges { vertices: n, directed, .. } = graph;
        let names: VertexNames = match (numbering, &graph.names) {
            (_, Some(names)) if names.len() != n as usize => {
                let found = names.len();
                return Err(Reason::Other(format!("\"names\" has {found} names, but the graph has {n} vertices")));
            }
            (_, Some(names)) => VertexNames::Words(VertexWords::new(names.clone())?),
            (Some("from-0"), None) => Numbering::FromZero.into(),
            (Some("from-1") | None, None) => Numbering::FromOne.into(),
            (Some(other), None) => {
                let why = format!("\"numbering\" is \"{other}\"; choose from from-0, from-1, names, squares");
                return Err(Reason::Other(why));
            }
        };
        let vertex = |name: &String| match names.vertex(name, n) {
            Some(vertex) => Ok(vertex.number()),
            None => Err(Reason::Other(format!("\"{name}\" in \"edges\" is not a vertex"))),
        };
        let edges = graph.edges.iter().map(|(one, other)| Ok((vertex(one)?, vertex(other)?)));
        let edges = edges.collect::<Result<Vec<_>, Reason>>()?;
        let name = self.instance()?.clone();
        // The memory for the vertices is allocated only then.
        has_enough(n_of_tour, &name, n)?;
        let graph = if directed { Digraph::from_arcs(n, edges)?.into() } else { Graph::from_edges(n, edges)?.into() };
        Ok(Some(NamedGraph { name, graph, names, constraints: Vec::new() }))
    }
}
