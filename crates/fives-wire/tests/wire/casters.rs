//! What casters see is nothing that a spectator's message could hold (law 4).

use std::collections::BTreeSet;

use fives_wire::FILE_DESCRIPTOR_SET;
use prost::Message;
use prost_types::FileDescriptorSet;

/// All messages that can be reached from this one.
fn reached(set: &FileDescriptorSet, from: &str) -> BTreeSet<String> {
    let messages: Vec<_> = set.file.iter().flat_map(|file| &file.message_type).collect();
    let (mut reached, mut waiting) = (BTreeSet::new(), vec![from.to_owned()]);
    while let Some(name) = waiting.pop() {
        let found = messages.iter().find(|message| message.name() == name);
        if let Some(message) = found.filter(|_| reached.insert(name)) {
            let types = message.field.iter().map(|field| field.type_name().rsplit('.').next());
            waiting.extend(types.flatten().filter(|name| !name.is_empty()).map(str::to_owned));
        }
    }
    reached
}

#[test]
fn no_message_but_a_casters_leads_to_open_hands() {
    let set = FileDescriptorSet::decode(FILE_DESCRIPTOR_SET).unwrap();
    let methods = set
        .file
        .iter()
        .flat_map(|file| &file.service)
        .flat_map(|service| &service.method);
    let leads: Vec<_> = methods
        .filter(|method| {
            let answer = method.output_type().rsplit('.').next().unwrap();
            reached(&set, answer).contains("OpenHands")
        })
        .map(|method| method.name().to_owned())
        .collect();
    assert_eq!(leads, ["CastMatch"]);
    let update = reached(&set, "MatchUpdate");
    assert!(
        update.contains("MatchView") && !update.contains("OpenHand"),
        "{update:?}"
    );
}
