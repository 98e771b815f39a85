"""Tool-info module for BenchExec (https://github.com/sosy-lab/benchexec): how to run hamcnf, and the meaning of its answers.

A task is a graph in a file, or, without a file, any question of `hamcnf solve`: 8x8, '5x5 open from c3', petersen:7:2. Run it
from the folder that contains scripts/:

    PYTHONPATH=. benchexec --tool-directory target/release scripts/benchexec/example.xml

The answer `true` is a tour, `false` a proof that there is none. For tasks with a file, a column's text may name a column of
`hamcnf solve --json`, a field of its `details`, a metric or a setting: <column title="conflicts">conflicts</column>.
"""

import json

import benchexec.result as result
import benchexec.tools.template

# Results of runs that ended at a limit of hamcnf: the same words as for limits of BenchExec.
ENDED = {
    "timeout": result.RESULT_TIMEOUT,
    "memout": "OUT OF MEMORY",
}

# Exit codes: BenchExec's result, the status in the JSON object, and the `s` line of other solvers.
ANSWERS = {
    10: (result.RESULT_TRUE_PROP, "tour", "s SATISFIABLE"),
    20: (result.RESULT_FALSE_PROP, "no-tour", "s UNSATISFIABLE"),
}


class Tool(benchexec.tools.template.BaseTool2):
    """hamcnf: Hamiltonian cycles and knight's tours"""

    def executable(self, tool_locator):
        return tool_locator.find_executable("hamcnf")

    def name(self):
        return "hamcnf"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="hamcnf")

    def cmdline(self, executable, options, task, rlimits):
        """Returns the command `hamcnf solve` with the wall time limit, so that it ends regularly and prints its statistics.

        CPU time and memory have no option: BenchExec enforces these limits.
        """
        options = list(options)
        if "--json" not in options and "--dimacs" not in options:
            options.append("--json")
        own = any(option.split("=")[0] == "--time-limit" for option in options)
        if rlimits.walltime and not own:
            options += ["--time-limit", str(rlimits.walltime)]
        if task.input_files_or_empty:
            task.require_single_input_file()
        return [executable, "solve", *options, *task.input_files_or_identifier]

    def determine_result(self, run):
        """Returns the result of the exit code, as for SAT solvers. The printed answer must agree with the exit code."""
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        code = run.exit_code.value
        if code is None:
            return f"{result.RESULT_ERROR} (signal {run.exit_code.signal})"
        said = answer(run.output)
        if code in ANSWERS:
            verdict, status, line = ANSWERS[code]
            agrees = said["status"] == status if said else line in run.output
            return verdict if agrees else f"{result.RESULT_ERROR} (exit code {code} without an answer)"
        if code in (0, 3):
            status = said["status"] if said else None
            return ENDED.get(status, result.RESULT_UNKNOWN)
        return f"{result.RESULT_ERROR} ({code})"

    def get_value_from_output(self, output, identifier):
        said = answer(output)
        if said is None:
            return None
        details = said.get("details", {})
        for fields in (said, details, details.get("statistics", {}), details.get("settings", {})):
            value = fields.get(identifier)
            if value is not None and not isinstance(value, (dict, list)):
                return str(value)
        return None


def answer(output):
    """Returns the object that --json prints, or the first of several."""
    for line in output:
        if line.startswith("{"):
            try:
                said = json.loads(line)
            except ValueError:
                continue
            if isinstance(said, dict) and "status" in said:
                return said
    return None
