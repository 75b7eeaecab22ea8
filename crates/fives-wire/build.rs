//! Generates the messages, clients and servers of `proto/fives/v1` and `proto/fives/admin/v1`. protox reads the files, so no machine needs protoc.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use prost::Message;

const PROTO_ROOT: &str = "../../proto";
const PACKAGE_DIR: &str = "../../proto/fives/v1";
const ADMIN_FILE: &str = "../../proto/fives/admin/v1/admin_service.proto";

/// Messages with a token, a device key, an invite code or open hands; `redacted.rs` gives them a `Debug` that prints none of these.
const SECRET: [&str; 11] = [
    ".fives.v1.SignInGuestRequest",
    ".fives.v1.SignInGuestResponse",
    ".fives.v1.RefreshTokenResponse",
    ".fives.v1.GetMatchRequest",
    ".fives.v1.JoinMatchRequest",
    ".fives.v1.GetReplayRequest",
    ".fives.v1.WatchMatchRequest",
    ".fives.v1.LinkIdentityRequest",
    ".fives.v1.OpenHand",
    ".fives.v1.Invite",
    ".fives.v1.RevokeInviteRequest",
];

/// Messages that show hidden tiles and seeds to administrators.
const REVEALING: [&str; 2] = [".fives.admin.v1.Revealed", ".fives.admin.v1.RevealedHand"];

fn main() -> Result<(), Box<dyn Error>> {
    // The generator prints nothing to cargo when it is handed descriptors. The folder stands for files added and removed.
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={PACKAGE_DIR}");
    let files = proto_files()?;
    for file in &files {
        println!("cargo::rerun-if-changed={}", file.display());
    }

    let descriptors = protox::compile(&files, [PROTO_ROOT])?;
    let out_dir = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out_dir.join("fives.v1.binpb"), descriptors.encode_to_vec())?;
    tonic_prost_build::configure()
        .bytes(".fives.v1")
        .skip_debug(SECRET)
        .extern_path(".fives.v1.FollowMatchResponse", "crate::envelope::Envelope")
        .extern_path(".fives.v1.WatchMatchResponse", "crate::envelope::Envelope")
        .compile_fds(descriptors)?;
    admin(&out_dir)
}

/// The package of administrators, in a folder and with descriptors of its own: nothing of it is served on the public port, where
/// reflection would show it.
fn admin(out_dir: &Path) -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={ADMIN_FILE}");
    let descriptors = protox::compile([ADMIN_FILE], [PROTO_ROOT])?;
    let folder = out_dir.join("admin");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("fives.admin.v1.binpb"), descriptors.encode_to_vec())?;
    tonic_prost_build::configure()
        .out_dir(&folder)
        .bytes(".fives.admin.v1")
        .skip_debug(REVEALING)
        .extern_path(".fives.v1", "crate::v1")
        .compile_fds(descriptors)?;
    Ok(())
}

/// The package's files in a fixed order, so that the generated code does not depend on the file system.
fn proto_files() -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(PACKAGE_DIR)? {
        let path = entry?.path();
        if path.extension() == Some(Path::new("proto").as_os_str()) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
