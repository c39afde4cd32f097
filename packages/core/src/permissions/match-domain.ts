import { isIPv6 } from "node:net";
import { domainToASCII } from "node:url";
import { matchesWildcard } from "./wildcard.ts";

/** Whether a `domain:host` spec means the host of a URL: `*.` in front is any subdomain, a `*` elsewhere one label. */
export function matchesDomain(spec: string, url: string): boolean {
  const pattern = spec.startsWith("domain:") ? hostPattern(spec.slice("domain:".length)) : "";
  const host = URL.canParse(url) ? hostName(new URL(url).hostname) : "";
  if (pattern === "" || host === "") return false;
  if (pattern === "*") return true;
  const isBelow = pattern.startsWith("*.");
  const wanted = (isBelow ? pattern.slice(2) : pattern).split(".");
  const labels = host.split(".");
  if (isBelow ? labels.length <= wanted.length : labels.length !== wanted.length) return false;
  const tail = labels.slice(-wanted.length);
  return wanted.every((label, at) => matchesWildcard(label, tail[at] ?? ""));
}

const hostName = (name: string) => name.trim().toLowerCase().replace(/\.$/, "");

/** In the form that a URL gives its host: letters of other scripts in ASCII, an IPv6 address in brackets. */
function hostPattern(written: string): string {
  const name = hostName(written);
  if (isIPv6(name.replace(/^\[|\]$/g, ""))) return new URL(`http://[${name.replace(/^\[|\]$/g, "")}]`).hostname;
  return name.includes("*") ? name.split(".").map(asciiLabel).join(".") : asciiLabel(name);
}

const asciiLabel = (label: string) => (label.includes("*") ? label : domainToASCII(label) || label);
