//! Instances with a fixed start. Formulas and proofs need one vertex at which all tours begin. For other questions, the
//! tours of an instance with a fixed start stand for the tours of the *original* question.
//!
//! - Closed tours, and open tours from a given vertex: the instance itself.
//! - Open tours to t, from anywhere, in an undirected graph: open tours from t, read backwards.
//! - Other open tours: closed tours of the graph with one *added vertex* x, which has the next free number and is the
//!   start. If both ends are free, x is adjacent to all vertices; without x, a closed tour is a path through all other
//!   vertices. If the ends s and t are given, x is adjacent to s and t only. In a digraph, arcs lead from x to the
//!   vertices that may be first, and to x from the vertices that may be last.
//!
//! In an undirected graph with given ends s and t, each path is a closed tour in two directions.
//! [`Instance::last`] says which of them begins at s.

use crate::constraint::Constraints;
use crate::split;
use crate::{Endpoints, Instance, InstanceError, NotATour, Tour, TourKind};
use hamcnf_graph::{Vertex, VertexNames};

/// Question whose tours correspond to those of an instance with a fixed start.
#[derive(Clone, Debug)]
pub struct Original {
    instance: Instance,
    ends: Endpoints,
}

impl Original {
    /// Returns the instance of the question, without the added vertex.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// Returns the endpoints that the question allows.
    pub fn ends(&self) -> Endpoints {
        self.ends
    }
}

impl Instance {
    /// Returns an instance with a fixed start. Its tours correspond to the tours of this instance's graph with these
    /// endpoints: see the [module documentation](self).
    ///
    /// # Errors
    ///
    /// [`InstanceError`] if the graph is too large, or does not have a given end.
    pub fn with_fixed_start(&self, ends: Endpoints) -> Result<Self, InstanceError> {
        let original = || Original { instance: self.clone(), ends };
        match ends {
            Endpoints::Open { from: Some(from), to: None } => self.starting_at(from),
            Endpoints::Open { from: None, to: Some(to) } if !self.is_directed() => {
                Ok(self.starting_at(to)?.standing_for(original()))
            }
            // The path of a single vertex is no closed tour through the added vertex.
            Endpoints::Open { .. } if self.n() > 1 => Ok(self.with_added_vertex(ends)?.standing_for(original())),
            Endpoints::Open { .. } | Endpoints::Closed => Ok(self.clone()),
        }
    }

    /// Returns closed tours of the graph with the added vertex.
    fn with_added_vertex(&self, ends: Endpoints) -> Result<Self, InstanceError> {
        let x = Vertex::new(self.n());
        let name = format!("{} with one added vertex", self.name());
        let Some(digraph) = split::closed(self.digraph(), ends)? else {
            return Ok(self.clone());
        };
        let closed = match self.is_directed() {
            true => Self::on_digraph(name, digraph, TourKind::Closed, x)?,
            false => Self::on_graph(name, digraph.underlying(), TourKind::Closed, x)?,
        };
        let constraints = self.constraints().iter();
        let constraints: Constraints = constraints.map(|c| c.extended()).collect();
        let closed = closed.called(self.names_with_added_vertex());
        Ok(closed.constrained(&constraints))
    }

    /// Returns the names of the vertices and of the added vertex. The added vertex is called `end`, or has the next
    /// number if the vertices are numbered.
    fn names_with_added_vertex(&self) -> VertexNames {
        let names = self.vertex_names();
        if self.squares().is_none() && matches!(names, VertexNames::Numbers(_)) {
            return names.clone();
        }
        let all = self.graph().vertices().map(|v| self.vertex_name(v));
        let mut all: Vec<String> = all.collect();
        all.push(split::name_of_end(&all));
        VertexNames::of_words(all)
    }

    /// Returns the vertex that [`with_fixed_start`](Self::with_fixed_start) added. It is the start of the instance.
    pub fn added(&self) -> Option<Vertex> {
        let is_closed = self.kind() == TourKind::Closed;
        (is_closed && self.original().is_some()).then(|| self.start())
    }

    /// True if the tours are those of the original question, read backwards.
    pub fn is_backward(&self) -> bool {
        self.kind() == TourKind::Open && self.original().is_some()
    }

    /// Returns the last vertex before the added vertex, if this vertex is given and the graph is undirected. Closed
    /// tours then have only the direction in which they reach this vertex last.
    pub fn last(&self) -> Option<Vertex> {
        match self.original()?.ends {
            Endpoints::Open { from: Some(_), to: Some(to) } if !self.is_directed() => self.with_label(to),
            _ => None,
        }
    }

    /// Describes the added vertex and its neighbours; `None` if the instance has no added vertex.
    pub fn describe_added(&self) -> Option<String> {
        let (x, original) = (self.added()?, self.original()?);
        let name = |v| original.instance.vertex_name(v);
        let neighbours = match original.ends {
            Endpoints::Open { from: Some(from), to: Some(to) } => {
                format!("adjacent to {} and {}", name(from), name(to))
            }
            Endpoints::Open { from: None, to: Some(to) } => {
                format!("with arcs to all others and an arc from {}", name(to))
            }
            Endpoints::Open { to: None, .. } | Endpoints::Closed => "adjacent to all others".to_owned(),
        };
        Some(format!("{}, {neighbours}", self.vertex_name(x)))
    }

    /// Returns the tour of this instance that stands for a tour of the original question, given by its vertices.
    ///
    /// # Errors
    ///
    /// [`NotATour`] if the vertices are not a tour of the original question.
    pub fn tour_of_original(&self, mut order: Vec<Vertex>) -> Result<Tour, NotATour> {
        if self.is_backward() {
            order.reverse();
        }
        if let Some(added) = self.added() {
            order.insert(0, added);
        }
        Tour::check(self, order)
    }

    /// Returns the tour of the original question that a tour of this instance stands for, and the original instance
    /// with the start of this tour.
    ///
    /// # Errors
    ///
    /// [`NotATour`] if `found` is not a tour of this instance.
    pub fn original_tour(&self, found: &Tour) -> Result<(Self, Tour), NotATour> {
        let Some(Original { instance, ends }) = self.original() else {
            let tour = Tour::check(self, found.order().to_vec())?;
            return Ok((self.clone(), tour));
        };
        let is_old = |v: &Vertex| v.number() < instance.n();
        // The added vertex is the start, so the other vertices follow it.
        let mut order: Vec<_> = found.order().iter().copied().filter(is_old).collect();
        if let Endpoints::Open { from, to } = *ends
            && !instance.is_directed()
            && (from.is_some_and(|from| order.first() != Some(&from)) || to.is_some_and(|to| order.last() != Some(&to)))
        {
            order.reverse();
        }
        let first = order.first().copied();
        let at = first.and_then(|first| instance.starting_at(first).ok());
        let at = at.unwrap_or_else(|| instance.clone());
        let tour = Tour::check(&at, order)?;
        Ok((at, tour))
    }
}
