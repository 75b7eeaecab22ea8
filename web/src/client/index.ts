/** The client package: `import { FivesClient } from "fives-client"`. */

export { FivesClient, type ClientOptions, type StreamOptions, type Target, type Wish } from "./client.js";
export { Refused, Unreachable, mayPass, meaningOf, type Reason } from "./refusal.js";
export { PATIENCE, type Patience } from "./retry.js";
export { memory, type Keep, type Me } from "./session.js";
export { isOver, type Network, type Told } from "./stream.js";
export { type OpenHands } from "../gen/fives/v1/cast_service_pb.js";
export * from "../gen/fives/v1/clock_pb.js";
export * from "../gen/fives/v1/event_pb.js";
export * from "../gen/fives/v1/options_pb.js";
export * from "../gen/fives/v1/rematch_pb.js";
export { type LiveMatch } from "../gen/fives/v1/spectate_service_pb.js";
export * from "../gen/fives/v1/types_pb.js";
export { SeatConnection } from "../gen/fives/v1/update_pb.js";
export * from "../gen/fives/v1/view_pb.js";
