//! Saved inputs of a target. All inputs of a target are in one file, each on a separate line. Quotes, backslashes and
//! all bytes that are not printable ASCII characters are escaped as in Rust. A line that begins with `#` states what
//! the next input once broke.

/// Heading of the inputs that are saved only because they reach more code than the other inputs.
pub const FOUND: &str = "# Reached more code:";

/// Returns the inputs that are saved in the text of a file.
///
/// # Errors
///
/// The first line that is not escaped correctly.
pub fn read(file: &str) -> Result<Vec<Vec<u8>>, String> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| unescaped(line).ok_or_else(|| line.to_owned())).collect()
}

/// Returns the line that represents an input in a file.
#[must_use]
pub fn line(input: &[u8]) -> String {
    let escaped = input.escape_ascii().to_string();
    match escaped.strip_prefix('#') {
        Some(rest) => format!("\\x23{rest}"),
        None => escaped,
    }
}

fn unescaped(line: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut rest) = (Vec::new(), line.bytes());
    while let Some(byte) = rest.next() {
        bytes.push(match (byte, byte == b'\\') {
            (byte, false) => byte,
            (_, true) => match rest.next()? {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'x' => {
                    let digits = [rest.next()?, rest.next()?];
                    u8::from_str_radix(str::from_utf8(&digits).ok()?, 16).ok()?
                }
                same @ (b'\\' | b'\'' | b'"') => same,
                _ => return None,
            },
        });
    }
    Some(bytes)
}
