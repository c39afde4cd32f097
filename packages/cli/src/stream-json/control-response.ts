/** The answer to a host's request for control; it has no id and no session of its own. */
export type ControlResponse = {
  type: "control_response";
  response: { subtype: "error"; request_id: string; error: string };
};
