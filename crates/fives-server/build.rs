//! Says which commit this is built from: what `FIVES_COMMIT` says (an image is built without `.git`), or else what git says; and
//! puts the web pages, `web/dist`, into the program.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use brotli::enc::BrotliEncoderParams;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    commit();
    web_files(Path::new("../../web/dist"))
}

fn commit() {
    println!("cargo::rerun-if-env-changed=FIVES_COMMIT");
    // Grows whenever HEAD moves, by a commit, a checkout or a reset; Cargo would take a file that is not there for one that changed.
    if let Some(moves) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|path| Path::new(path).exists()) {
        println!("cargo::rerun-if-changed={moves}");
    }
    let given = env::var("FIVES_COMMIT").ok().filter(|commit| !commit.is_empty());
    let commit = given.or_else(|| git(&["rev-parse", "HEAD"]));
    let commit: String = commit
        .unwrap_or_else(|| "unknown".to_owned())
        .chars()
        .take(12)
        .collect();
    println!("cargo::rustc-env=FIVES_COMMIT={commit}");
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout)
        .ok()
        .filter(|_| output.status.success())?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Writes a table of all files of the folder, with their bytes as they are and compressed. Compressed here and not by the bundle's
/// build: what a compressor makes differs from one release of it to the next, and the bundle is compared byte for byte.
fn web_files(folder: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("Cargo names no OUT_DIR"))?);
    let mut names: Vec<String> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()))
        .collect::<Result<_, _>>()?;
    names.sort();
    let mut table = String::from("[\n");
    for name in names {
        let path = fs::canonicalize(folder.join(&name))?;
        println!("cargo::rerun-if-changed={}", path.display());
        let plain = fs::read(&path)?;
        let [gzip, brotli] = ["gz", "br"].map(|ending| out.join(format!("{name}.{ending}")));
        zopfli::compress(
            zopfli::Options::default(),
            zopfli::Format::Gzip,
            plain.as_slice(),
            fs::File::create(&gzip)?,
        )?;
        brotli::BrotliCompress(
            &mut plain.as_slice(),
            &mut fs::File::create(&brotli)?,
            &BrotliEncoderParams::default(),
        )?;
        let _ = writeln!(
            table,
            "    Bundled {{ name: {name:?}, plain: include_bytes!({path:?}), gzip: include_bytes!({gzip:?}), \
             brotli: include_bytes!({brotli:?}) }},"
        );
    }
    table.push_str("]\n");
    fs::write(out.join("web_files.rs"), table)
}
