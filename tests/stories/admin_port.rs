//! The admin port: who is let in, what is changed through it while a process runs, and how it is stopped.

use std::ffi::OsString;
use std::process::Output;

use fives_client::{admin_v1, v1};
use fives_wire::status;
use prost::Message;
use tonic::codec::Codec;
use tonic::transport::Endpoint;
use tonic::{Code, Request, Status};

use crate::administration::void;
use crate::harness::{
    Administered, SECRET, ServerProcess, bearer, http, in_time, me, open, program, public_match, seat_all, until,
};
use crate::refusals::refused;

/// Every call of the package, from its descriptors.
fn admin_calls() -> Vec<String> {
    let set = prost_types::FileDescriptorSet::decode(fives_wire::ADMIN_FILE_DESCRIPTOR_SET).expect("descriptors");
    let mut calls = Vec::new();
    for file in set
        .file
        .iter()
        .filter(|file| file.package().starts_with("fives.admin."))
    {
        for service in &file.service {
            let path = |method: &str| format!("/{}.{}/{method}", file.package(), service.name());
            calls.extend(service.method.iter().map(|method| path(method.name())));
        }
    }
    assert_eq!(calls.len(), 12, "{calls:?}");
    calls
}

/// Sends an empty message to a call.
async fn call(url: &str, path: &str, token: Option<&str>) -> Result<(), Status> {
    let channel = Endpoint::from_shared(url.to_owned())
        .expect("an address")
        .connect_lazy();
    let mut client = tonic::client::Grpc::new(channel);
    client.ready().await.expect("it listens");
    let mut request = Request::new(());
    if let Some(token) = token {
        let value = format!("Bearer {token}").parse().expect("a header");
        request.metadata_mut().insert("authorization", value);
    }
    let codec = empty_messages();
    client
        .unary(request, path.parse().expect("a path"), codec)
        .await
        .map(drop)
}

fn empty_messages() -> impl Codec<Encode = (), Decode = ()> {
    tonic_prost::ProstCodec::default()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_call_of_administrators_works_without_the_token() {
    let folders = [
        tempfile::tempdir().expect("a folder"),
        tempfile::tempdir().expect("a folder"),
    ];
    let server = Administered::start(folders[0].path()).await;
    let tokenless = Administered::start_without_token(folders[1].path()).await;
    let wrong = SECRET.replace('a', "b");
    for path in admin_calls() {
        for (server, token, code, reason) in [
            (&server, None, Code::Unauthenticated, v1::ErrorReason::AdminTokenMissing),
            (
                &server,
                Some(wrong.as_str()),
                Code::Unauthenticated,
                v1::ErrorReason::AdminTokenInvalid,
            ),
            (
                &tokenless,
                None,
                Code::PermissionDenied,
                v1::ErrorReason::AdminTokenNotSet,
            ),
            (
                &tokenless,
                Some(SECRET),
                Code::PermissionDenied,
                v1::ErrorReason::AdminTokenNotSet,
            ),
        ] {
            let answer = call(&server.admin_url(), &path, token).await.expect_err("refused");
            assert_eq!((answer.code(), status::reason(&answer)), (code, Some(reason)), "{path}");
        }
    }
    let operator = "fives-operator: anna".to_owned();
    for request in ["PUT /log", "POST /drain"] {
        for (server, headers, expected, words) in [
            (&server, vec![], 401, "--admin-token-file"),
            (&server, vec![bearer(&wrong)], 401, "not the admin token"),
            (&tokenless, vec![bearer(SECRET)], 403, "FIVES_ADMIN_TOKEN_FILE"),
            (&server, vec![bearer(SECRET)], 400, "operator"),
        ] {
            let has_token = expected == 400;
            let headers = [headers, if has_token { vec![] } else { vec![operator.clone()] }].concat();
            let (status, said) = server.ask(request, &headers, "trace").await;
            assert_eq!(status, expected, "{request}: {said}");
            assert!(said.contains(words), "{request}: {said}");
        }
    }
    for server in [&server, &tokenless] {
        for request in ["GET /livez", "GET /readyz", "GET /build", "GET /log"] {
            let (status, said) = server.ask(request, &[], "").await;
            assert_eq!(status, 200, "{request}: {said}");
        }
        assert_eq!(
            server.ask("GET /log", &[], "").await.1,
            "error\n",
            "nothing was changed"
        );
        assert!(!server.log().contains(SECRET) && !server.log().contains(&wrong));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_public_port_serves_no_administrator() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Administered::start(folder.path()).await;
    for path in admin_calls() {
        let answer = call(&server.process.url(), &path, Some(SECRET))
            .await
            .expect_err("refused");
        assert_eq!(answer.code(), Code::Unimplemented, "{path}");
    }
    let headers = [bearer(SECRET), "fives-operator: anna".to_owned()];
    for request in ["GET /build", "GET /log", "PUT /log", "POST /drain"] {
        let (status, said) = http(server.process.listen(), request, &headers, "trace").await;
        assert!(status >= 400, "{request} is nothing here: {status} {said}");
    }
    let public = prost_types::FileDescriptorSet::decode(fives_wire::FILE_DESCRIPTOR_SET).expect("descriptors");
    assert!(
        public
            .file
            .iter()
            .all(|file| !file.package().starts_with("fives.admin"))
    );
    let players = call(&server.admin_url(), "/fives.v1.PlayerService/GetServiceInfo", None).await;
    assert_eq!(players.expect_err("not served").code(), Code::Unimplemented);
    assert_eq!(
        server.ask("GET /log", &[], "").await.1,
        "error\n",
        "nothing was changed"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_logged_is_changed_while_the_process_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Administered::start(folder.path()).await;
    let client = server.process.client();
    client.get_service_info(Default::default()).await.expect("answered");
    assert_eq!(server.log(), "", "nothing but errors is logged");

    let headers = [bearer(SECRET), "fives-operator: žofie".to_owned()];
    let (status, said) = server.ask("PUT /log", &headers, "info,fives_server=debug\n").await;
    assert_eq!(status, 200, "{said}");
    let now = server.ask("GET /log", &[], "").await.1;
    assert_eq!(now, said);
    assert!(now.contains("fives_server=debug"), "{now}");
    until("a line about a call", async || {
        client.get_service_info(Default::default()).await.expect("answered");
        let log = server.log();
        log.contains("answered") && log.contains("GetServiceInfo")
    })
    .await;

    let admin = server.administrator();
    let set = |filter: &str| admin_v1::SetLogFilterRequest {
        filter: filter.to_owned(),
        operator: "anna".to_owned(),
        reason: "enough seen".to_owned(),
    };
    refused(
        admin.set_log_filter(set("info,=")).await,
        Code::InvalidArgument,
        v1::ErrorReason::InvalidField,
    );
    let before = admin.set_log_filter(set("off")).await.expect("changed");
    assert_eq!(before.previous_filter, now.trim_end());
    let silent = server.log();
    client.get_service_info(Default::default()).await.expect("answered");
    assert_eq!(server.log(), silent);
    assert!(
        silent.contains("žofie") && !silent.contains(SECRET),
        "who changed it is logged, the secret is not"
    );

    let rows = admin.list_audit(Default::default()).await.expect("rows").rows;
    let said: Vec<_> = rows
        .iter()
        .map(|row| (row.operator.as_str(), row.log_filter.as_str()))
        .collect();
    assert_eq!(
        said,
        [("anna", "off"), ("žofie", "info,fives_server=debug")],
        "newest first"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_is_stopped_as_by_a_signal() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Administered::start(folder.path()).await;
    let headers = [
        bearer(SECRET),
        "fives-operator: anna".to_owned(),
        "fives-reason: a new release".to_owned(),
    ];
    let (status, said) = server.ask("POST /drain", &headers, "").await;
    assert_eq!((status, said.as_str()), (200, "stopping\n"));
    server.process.until_ended_well().await;

    let again = Administered::start(folder.path()).await;
    let admin = again.administrator();
    let rows = admin.list_audit(Default::default()).await.expect("rows").rows;
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(
        (rows[0].act(), rows[0].reason.as_str()),
        (admin_v1::AuditAct::Drain, "a new release")
    );
    let mut again = again;
    let drained = admin.drain(admin_v1::DrainRequest {
        operator: "anna".to_owned(),
        ..Default::default()
    });
    drained.await.expect("the last answer comes, too");
    again.process.until_ended_well().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_with_the_port_or_the_token_is_said_with_flag_and_variable() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Administered::start(folder.path()).await;
    let weak = folder.path().join("weak");
    std::fs::write(&weak, "secret").expect("written");
    for (flags, words) in [
        (
            vec!["--admin-listen".into(), server.admin().into()],
            "--admin-listen (FIVES_ADMIN_LISTEN): cannot listen on",
        ),
        (
            vec![
                "--admin-listen".into(),
                "off".into(),
                "--admin-token-file".into(),
                weak.into(),
            ],
            "--admin-token-file (FIVES_ADMIN_TOKEN_FILE): ",
        ),
        (vec!["--admin-listen".into(), "nowhere".into()], "`off`"),
    ] {
        let data = tempfile::tempdir().expect("a folder");
        let mut flags: Vec<OsString> = flags;
        flags.extend([
            "--listen".into(),
            "127.0.0.1:0".into(),
            "--data".into(),
            data.path().into(),
        ]);
        let output = fives([vec![OsString::from("serve")], flags].concat()).await;
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(words), "{said}");
    }
    let quiet = ServerProcess::start(&folder.path().join("other")).await;
    quiet.terminate().await;
}

async fn fives(arguments: Vec<OsString>) -> Output {
    let output = tokio::process::Command::new(program()).args(&arguments).output();
    in_time("the program", output).await.expect("the program starts")
}

/// Runs `fives admin` as an administrator; gives what it says when all went well.
async fn fives_admin(server: &Administered, line: &str) -> String {
    let mut arguments: Vec<OsString> = vec!["admin".into()];
    arguments.extend(line.split_whitespace().map(OsString::from));
    arguments.extend([
        "--server".into(),
        server.admin_url().into(),
        "--operator".into(),
        "anna".into(),
    ]);
    arguments.extend(["--token-file".into(), server.token_file().into()]);
    let output = fives(arguments).await;
    let said = |bytes| String::from_utf8(bytes).expect("text");
    assert!(output.status.success(), "{line}: {}", said(output.stderr));
    said(output.stdout)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_does_what_the_service_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Administered::start(folder.path()).await;
    let clients = [
        server.process.client(),
        server.process.client(),
        server.process.client(),
    ];
    for client in &clients {
        client.sign_in("guest", None).await.expect("guests are welcome");
    }
    let match_id = seat_all(&clients, public_match(vec![me(), open(), open()])).await;
    let has = |said: String, words: &[&str]| {
        for word in words {
            assert!(said.contains(word), "{word} is not in: {said}");
        }
    };
    has(fives_admin(&server, "build").await, &["storage schema: 3", "embedded"]);
    has(
        fives_admin(&server, &format!("inspect {match_id}")).await,
        &[&match_id, "live", "guest (seat 2)"],
    );
    let revealed = fives_admin(&server, &format!("inspect {match_id} --reveal --reason complaint")).await;
    has(revealed, &["hand of seat 2:", "master: "]);
    has(
        fives_admin(&server, &format!("forfeit {match_id} --seat 1 --reason abuse")).await,
        &["has given up, at revision 4"],
    );
    has(fives_admin(&server, "stuck").await, &["no match is stuck"]);
    has(
        fives_admin(&server, "repair").await,
        &["1 matches looked at, 0 repaired"],
    );
    has(
        fives_admin(&server, &format!("void {match_id} --reason unfair")).await,
        &["has ended without a result"],
    );
    has(
        fives_admin(&server, "log warn --reason noise").await,
        &["before it was error"],
    );
    let json = fives_admin(&server, &format!("inspect {match_id} --json")).await;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["view"]["state"], "MATCH_STATE_CLOSED");
    assert_eq!(json["view"]["voided"], true);
    let audit = fives_admin(&server, "audit").await;
    let acts: Vec<&str> = audit.lines().filter_map(|line| line.split("  ").nth(2)).collect();
    let acts: Vec<&str> = acts.iter().filter_map(|act| act.split(' ').next()).collect();
    assert_eq!(acts, ["log", "void", "repair", "forfeit", "reveal"], "{audit}");
    assert_eq!(fives_admin(&server, "audit --limit 2").await.lines().count(), 2);

    let tokenless = vec![
        "admin".into(),
        "build".into(),
        "--server".into(),
        server.admin_url().into(),
    ];
    let output = fives(tokenless).await;
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("admin token"));

    has(fives_admin(&server, "drain").await, &["stopping"]);
    server.process.until_ended_well().await;
    let again = server.administrator().void_match(void(&match_id)).await;
    assert!(
        again.is_err_and(|error| error.reason().is_none()),
        "nobody is there any more"
    );
}
