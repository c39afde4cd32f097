import { isIP, type LookupFunction } from "node:net";
import { messageOf, PawlError } from "../../../lib/error.ts";

/** What resolves a name to addresses; default the system's. */
export type Resolve = (host: string) => Promise<readonly { address: string; family: number }[]>;

/**
 * Whether an address is one of the public internet: not of this machine, its network, its provider, or a reserved range. An
 * IPv4 address inside an IPv6 one counts as what it is inside.
 */
export async function isPublicAddress(address: string): Promise<boolean> {
  const { default: ipaddr } = await import("ipaddr.js");
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  const bytes = parsed.toByteArray();
  // `::127.0.0.1`: an old way to write an IPv4 address, which no public host has.
  if (bytes.length === 16 && bytes.slice(0, 12).every((byte) => byte === 0)) return false;
  const range = parsed.range();
  if (range !== "rfc6052") return range === "unicast";
  const inside = ipaddr.fromByteArray(bytes.slice(-4));
  return inside.range() === "unicast";
}

/**
 * A `lookup` for sockets that gives public addresses only: what is checked is what is connected to, so that a name that
 * resolves differently a moment later gains nothing. Fails with PawlError `private_address` when there is none.
 *
 * @param named how the user would name the place to allow it; default the host that is looked up.
 */
export function publicLookup(resolve: Resolve = systemResolve, named?: string): LookupFunction {
  return (host, options, callback) => {
    publicAddresses(host, resolve, named).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) callback(null, [...addresses]);
        else callback(null, first?.address ?? "", first?.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(messageOf(error)), []),
    );
  };
}

async function publicAddresses(host: string, resolve: Resolve, named?: string): ReturnType<Resolve> {
  const found = await resolve(host);
  const checked = await Promise.all(
    found.map(async (each) => ({ each, isPublic: await isPublicAddress(each.address) })),
  );
  const allowed = checked.filter(({ isPublic }) => isPublic).map(({ each }) => each);
  if (allowed.length === 0) throw privateAddress(host, named);
  return allowed;
}

/** A host that is written as an address is never looked up: it is refused here. @throws PawlError `private_address`. */
export async function refusePrivateHost(host: string, named?: string): Promise<void> {
  const isLocalName = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i.test(host);
  if (isLocalName || (isIP(host) !== 0 && !(await isPublicAddress(host)))) throw privateAddress(host, named);
}

const privateAddress = (host: string, named = host) =>
  new PawlError(
    "private_address",
    `${host} is an address of this machine or a private network, which is not fetched. ` +
      `The user can allow it with PAWL_WEB_FETCH_PRIVATE_HOSTS=${named}.`,
  );

const systemResolve: Resolve = async (host) => {
  const { lookup } = await import("node:dns/promises");
  return lookup(host, { all: true, verbatim: true });
};
