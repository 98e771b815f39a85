//! Models: the values that a solver gives to the variables of a formula.

use rustsat::types::{Assignment, Lit, TernaryVal, Var};

/// Values of variables. Variables that the solver left unassigned have no value.
///
/// ```
/// use hamcnf_encodings::{Formula, Model};
/// use hamcnf_graph::{Graph, Vertex};
/// use hamcnf_tours::{Instance, TourKind};
///
/// let triangle = Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)])?;
/// let instance = Instance::on_graph("triangle", triangle, TourKind::Closed, Vertex::new(0))?;
/// let formula = Formula::new("direct".parse()?, &instance)?;
/// // V(0,0), V(1,1), V(2,2) are the variables 1, 5 and 9, as a solver would write them in `v` lines.
/// let model = Model::from_literals([1, -2, -3, -4, 5, -6, -7, -8, 9])?;
/// let order: Vec<u32> = formula.tour(&model)?.order().iter().map(|v| v.number()).collect();
/// assert_eq!(order, [0, 1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Model {
    values: Vec<Option<bool>>,
}

/// Reason why a list of literals is not a model, as a sentence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct NotAModel(String);

impl Model {
    /// Returns the model in which these DIMACS literals are true; a 0 at the end is skipped.
    ///
    /// # Errors
    ///
    /// [`NotAModel`], with the first invalid literal.
    pub fn from_literals(literals: impl IntoIterator<Item = i32>) -> Result<Self, NotAModel> {
        let mut values: Vec<Option<bool>> = Vec::new();
        let mut literals = literals.into_iter().peekable();
        while let Some(literal) = literals.next() {
            if literal == 0 && literals.peek().is_none() {
                break;
            }
            let variable = literal.unsigned_abs();
            if literal == 0 || literal == i32::MIN {
                let expected = format!("its variable must be from 1 to {}", i32::MAX);
                return Err(NotAModel(format!("{literal} is not a valid literal: {expected}")));
            }
            let index = variable as usize - 1;
            if values.len() <= index {
                values.resize(index + 1, None);
            }
            let value = literal > 0;
            if values[index].replace(value) == Some(!value) {
                return Err(NotAModel(format!("variable {variable} is both true and false")));
            }
        }
        Ok(Self { values })
    }

    /// Returns the value of a variable; `None` if it is unassigned.
    pub fn value(&self, var: Var) -> Option<bool> {
        self.values.get(var.idx()).copied().flatten()
    }

    /// True if the literal is true; false if it is false or unassigned.
    pub fn holds(&self, literal: Lit) -> bool {
        self.value(literal.var()) == Some(literal.is_pos())
    }
}

impl FromIterator<Option<bool>> for Model {
    fn from_iter<I: IntoIterator<Item = Option<bool>>>(values: I) -> Self {
        Self { values: values.into_iter().collect() }
    }
}

impl FromIterator<bool> for Model {
    fn from_iter<I: IntoIterator<Item = bool>>(values: I) -> Self {
        values.into_iter().map(Some).collect()
    }
}

/// Converts the assignment returned by a rustsat solver.
impl From<&Assignment> for Model {
    fn from(assignment: &Assignment) -> Self {
        let value = |literal: Lit| match assignment.lit_value(literal) {
            TernaryVal::True => Some(true),
            TernaryVal::False => Some(false),
            TernaryVal::DontCare => None,
        };
        let all = 0..assignment.len() as u32;
        all.map(|index| value(Lit::positive(index))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_say_it_once_or_the_same() {
        let model = Model::from_literals([-3, 1, -3, 0]).unwrap();
        let values: Vec<_> = (0..4).map(|index| model.value(Var::new(index))).collect();
        assert_eq!(values, [Some(true), None, Some(false), None]);
        assert!(model.holds(Lit::negative(2)) && !model.holds(Lit::negative(1)));
        let refused = |literals: [i32; 2]| Model::from_literals(literals).unwrap_err().to_string();
        assert_eq!(refused([2, -2]), "variable 2 is both true and false");
        for wrong in [0, i32::MIN] {
            let expected = "is not a valid literal: its variable must be from 1 to 2147483647";
            assert_eq!(refused([wrong, 1]), format!("{wrong} {expected}"));
        }
    }

    #[test]
    fn an_assignment_of_rustsats_is_a_model() {
        let values = [TernaryVal::True, TernaryVal::DontCare, TernaryVal::False];
        let assignment: Assignment = values.into_iter().collect();
        assert_eq!(Model::from(&assignment), Model::from_literals([1, -3]).unwrap());
    }
}
