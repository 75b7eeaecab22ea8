//! The reference matches of `tests/games`, played again at two more heights than the rules' own tests: by the referee over the
//! embedded store, and by clients over gRPC.
//!
//! A deal cannot be asked for, so each round is put into the store as a table that was dealt like this; from there on only
//! plays are sent, and everything that comes back is compared with the record.

use std::fs;
use std::sync::Arc;

use fives_client::{Client, v1};
use fives_referee::batch::{Author, Batch, NewTable, Spectators, TableEvent, Visibility};
use fives_referee::command::Command;
use fives_referee::cursor::Cursor;
use fives_referee::id::{MatchId, PlayerId};
use fives_referee::player::DisplayName;
use fives_referee::referee::{Caller, Policy, Referee};
use fives_referee::request::{Fingerprint, RequestId};
use fives_referee::store::{Created, SharedStore};
use fives_referee::table::{Occupant, Table};
use fives_referee::time::UnixMillis;
use fives_referee::view::SeenTableEvent;
use fives_rules::deal::{Commitment, Deck, Master, Seed};
use fives_rules::event::{Event, RoundResult, StarterReason};
use fives_rules::play::Play;
use fives_rules::record::{Record, RoundRecord, TurnRecord};
use fives_rules::seat::{BySeat, BySide, Seat};
use fives_rules::tile::Tile;
use fives_rules::view::SeenEvent;
use fives_store::embedded::EmbeddedStore;

use crate::harness::{Server, view_of, workspace};

/// Every round of every reference match, with where it is from.
fn rounds() -> Vec<(String, Record, usize)> {
    let mut rounds = Vec::new();
    let folder = workspace().join("tests/games");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("tests/games")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    for path in files {
        for (line, text) in fs::read_to_string(&path).expect("readable").lines().enumerate() {
            let record: Record = serde_json::from_str(text).expect("a record");
            for index in 0..record.hands.len() {
                let place = format!("{}:{} round {index}", path.display(), line + 1);
                rounds.push((place, record.clone(), index));
            }
        }
    }
    assert!(rounds.len() > 150, "all reference matches are there");
    rounds
}

fn seat(index: usize) -> Seat {
    Seat::new(index as u8).expect("a seat")
}

/// The table of a recorded round, just dealt, with these people at it.
fn dealt(record: &Record, round: &RoundRecord, people: &[PlayerId], id: MatchId) -> (Arc<Table>, Batch) {
    let options = record.config.options().expect("possible options");
    let tiles: Vec<Tile> = round.deal.iter().flatten().chain(&round.boneyard).copied().collect();
    let mut scores = BySide::default();
    for (side, score) in options.seating().sides().zip(&round.scores_before) {
        scores[side] = *score;
    }
    let person = |player: &PlayerId| Occupant::Person {
        player: *player,
        name: DisplayName::new("guest").expect("a name"),
    };
    let new = NewTable {
        id,
        creator: people[0],
        options,
        visibility: Visibility::Public,
        spectators: Spectators::UNDELAYED,
        clock: None,
        ranked: false,
        master: Master::new([0; 32]),
        occupants: people.iter().map(person).collect(),
    };
    // The scores come from a round before, of which nothing else is known.
    let before = Event::RoundEnded {
        round: round.index.saturating_sub(1),
        result: RoundResult::Blocked,
        left: BySeat::default(),
        subtracted: None,
        scores,
        seed: Seed::new([0; 32]),
    };
    let start = Event::RoundStarted {
        round: round.index,
        starter: seat(round.starter),
        reason: StarterReason::Random,
        commitment: Commitment([0; 32]),
        deck: Deck::new(tiles.try_into().expect("28 tiles")).expect("each tile once"),
    };
    let batch = Batch {
        cursor: Cursor { revision: 1, stamp: 1 },
        at: UnixMillis(1),
        author: Author::Player {
            player: people[0],
            seat: None,
            request: RequestId::new("dealt").expect("an id"),
            fingerprint: Fingerprint([0; 16]),
        },
        next_due: None,
        events: vec![
            TableEvent::Created(Box::new(new)),
            TableEvent::Started,
            TableEvent::Game(before),
            TableEvent::Game(start),
        ],
        traced: None,
    };
    (Arc::new(Table::begin(&batch).expect("a table")), batch)
}

async fn put(store: &SharedStore, record: &Record, round: &RoundRecord, people: &[PlayerId], number: u16) -> MatchId {
    let mut bytes = [0; 16];
    bytes[..2].copy_from_slice(&number.to_be_bytes());
    let (table, batch) = dealt(record, round, people, MatchId::from_bytes(bytes));
    assert_eq!(store.create(&table, &batch).await.expect("created"), Created::New);
    table.id
}

fn turns(round: &RoundRecord) -> impl Iterator<Item = (usize, &TurnRecord, Tile)> {
    round
        .events
        .iter()
        .enumerate()
        .filter_map(|(turn, recorded)| Some((turn, recorded, recorded.play?)))
}

#[tokio::test(flavor = "multi_thread")]
async fn by_the_referee_over_the_embedded_store() {
    let store: SharedStore = Arc::new(EmbeddedStore::temporary().expect("a store"));
    let (referee, _hints) = Referee::new(Arc::clone(&store), Policy::default());
    let people: Vec<PlayerId> = (0..4).map(|n| PlayerId::from_bytes([n; 16])).collect();
    for (number, (place, record, index)) in rounds().iter().enumerate() {
        let round = &record.hands[*index];
        let people = &people[..record.config.players];
        let id = put(&store, record, round, people, number as u16).await;
        for (turn, recorded, tile) in turns(round) {
            let place = format!("{place} turn {turn}");
            let play = Play {
                tile,
                end: recorded.end,
            };
            let caller = Caller {
                player: people[recorded.seat],
                request: RequestId::new(&format!("turn-{turn}")).expect("an id"),
            };
            let view = referee.look(&id, Some(&caller.player), None).await.expect("seen");
            let legal: Vec<Play> = view
                .game
                .and_then(|game| game.own)
                .expect("a hand")
                .legal
                .iter()
                .map(|scored| scored.play)
                .collect();
            assert_eq!(legal, recorded.legal, "{place}: legal");
            let command = Command::Play {
                round: round.index,
                play,
            };
            let answer = referee.carry_out(id, &caller, &command, None).await;
            let answer = answer.unwrap_or_else(|error| panic!("{place}: {error}"));
            let SeenTableEvent::Game(SeenEvent::TilePlayed {
                total,
                points,
                scores,
                counted,
                ..
            }) = answer.events[0]
            else {
                panic!("{place}: {:?}", answer.events[0]);
            };
            assert_eq!((Some(total), points), (recorded.total, recorded.points), "{place}");
            assert_eq!(Some(counted.iter().collect()), recorded.ends, "{place}: ends");
            assert_eq!(scores.0[..recorded.scores.len()], recorded.scores, "{place}: scores");
            if turn + 1 == round.events.len() {
                let settled = answer.events.iter().find_map(|event| match event {
                    SeenTableEvent::Game(SeenEvent::RoundEnded { scores, .. }) => Some(*scores),
                    _ => None,
                });
                let settled = settled.unwrap_or_else(|| panic!("{place}: the round is not over"));
                assert_eq!(
                    settled.0[..round.scores_after.len()],
                    round.scores_after,
                    "{place}: scores after"
                );
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn over_grpc() {
    let server = Server::start().await;
    let clients: [Client; 4] = server.guests::<4>().await;
    let mut people = Vec::new();
    for client in &clients {
        let player = client
            .get_player(v1::GetPlayerRequest::default())
            .await
            .expect("known")
            .player
            .expect("a player");
        people.push(player.player_id.parse::<PlayerId>().expect("an id"));
    }
    // The last round of each match: every option, and how matches end.
    let tables: SharedStore = server.store().clone();
    let last = rounds()
        .into_iter()
        .filter(|(_, record, index)| *index + 1 == record.hands.len());
    for (number, (place, record, index)) in last.enumerate() {
        let round = &record.hands[index];
        let id = put(&tables, &record, round, &people[..record.config.players], number as u16).await;
        for (turn, recorded, tile) in turns(round) {
            let place = format!("{place} turn {turn}");
            let end = match recorded.end.map(|end| end.letter()) {
                None => v1::End::Unspecified,
                Some('L') => v1::End::Left,
                Some('R') => v1::End::Right,
                Some('N') => v1::End::North,
                Some(_) => v1::End::South,
            };
            let (high, low) = (u32::from(tile.high().get()), u32::from(tile.low().get()));
            let request = v1::PlayTileRequest {
                match_id: id.to_string(),
                round: Some(round.index),
                play: Some(v1::Play {
                    tile: Some(v1::Tile { high, low }),
                    end: end.into(),
                }),
                ..Default::default()
            };
            let answer = clients[recorded.seat].play_tile(request).await;
            let batch = answer
                .unwrap_or_else(|error| panic!("{place}: {error:?}"))
                .batch
                .expect("a batch");
            let Some(v1::event::Kind::TilePlayed(played)) = batch.events[0].kind.clone() else {
                panic!("{place}: {batch:?}")
            };
            assert_eq!(Some(played.total), recorded.total.map(u32::from), "{place}: total");
            assert_eq!(played.points, u32::from(recorded.points), "{place}: points");
            assert_eq!(played.scores, recorded.scores, "{place}: scores");
        }
        let view = view_of(&server.stranger(), &id.to_string()).await;
        assert_eq!(view.state(), v1::MatchState::Finished, "{place}");
        assert_eq!(view.scores, record.r#final.scores, "{place}");
        let winner = view
            .outcome
            .and_then(|outcome| outcome.winner_side)
            .map(|side| side as usize);
        assert_eq!(winner, record.r#final.winner_side, "{place}");
    }
}
