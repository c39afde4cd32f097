import { tool } from "@pawl/core";
import { type ErrorTable, wrongInput } from "./error-case.ts";

/** Without a tool to search for there is no search. */
export const withSearchable = {
  customTools: [
    tool("RingBell", "Rings a bell.", { type: "object", properties: {} }, async () => "ding", { deferred: true }),
  ],
};

const asked = { prompt: "What is it?" };

export const webCases: ErrorTable = {
  WebFetch: [
    {
      what: "no address",
      input: { ...asked, url: "example" },
      begins: wrongInput("WebFetch", "example could not be fetched: it is not an address"),
    },
    {
      what: "a file",
      input: { ...asked, url: "file:///etc/passwd" },
      begins: wrongInput("WebFetch", "file:///etc/passwd could not be fetched: only http"),
    },
    {
      what: "a password",
      input: { ...asked, url: "https://a:b@example.com/" },
      begins: wrongInput("WebFetch", "https://example.com could not be fetched: it holds a name or password"),
    },
    {
      what: "this machine",
      input: { ...asked, url: "http://localhost:1/" },
      begins: "localhost is an address of this machine",
    },
    {
      what: "a private address",
      input: { ...asked, url: "https://169.254.169.254/" },
      begins: "169.254.169.254 is an address of this machine or a private network",
    },
    {
      what: "a host that does not answer",
      input: { ...asked, url: "http://127.0.0.1:1/" },
      env: { PAWL_WEB_FETCH_PRIVATE_HOSTS: "127.0.0.1" },
      begins: "http://127.0.0.1:1/ could not be fetched: ",
    },
    {
      what: "a place before the page",
      input: { ...asked, url: "https://example.com", offset: -1 },
      begins: wrongInput("WebFetch"),
    },
  ],
  WebSearch: [
    {
      what: "a blank query",
      input: { query: " " },
      begins: `${wrongInput("WebSearch")}The parameter \`query\` is empty`,
    },
    {
      what: "sites of both kinds",
      input: { query: "q", allowed_domains: ["a.com"], blocked_domains: ["b.com"] },
      begins: wrongInput("WebSearch"),
    },
    {
      what: "a site that is none",
      input: { query: "q", allowed_domains: ["not a site"] },
      begins: wrongInput("WebSearch"),
    },
    {
      what: "no search at all",
      input: { query: "q" },
      begins: "The web was not searched: the model's provider has no search",
    },
  ],
  ToolSearch: [
    {
      what: "no deferred tool",
      input: { query: "mail" },
      options: withSearchable,
      begins: "No matching deferred tools found. Try other words, or fewer.",
      isError: false,
    },
    {
      what: "no result wanted",
      input: { query: "mail", max_results: 0 },
      options: withSearchable,
      begins: wrongInput("ToolSearch"),
    },
  ],
};
