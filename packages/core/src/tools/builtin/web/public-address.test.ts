import type { LookupAddress } from "node:dns";
import { expect, test } from "vitest";
import { isPublicAddress, publicLookup, refusePrivateHost } from "./public-address.ts";

test.each([
  ...["0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1"],
  ...["172.31.255.255", "192.168.1.1", "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"],
  ...["::", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1", "fe80::1", "fc00::1", "fd00:ec2::254", "ff02::1"],
  ...[
    "64:ff9b::7f00:1",
    "64:ff9b::a00:1",
    "2002:7f00:1::",
    "2001:db8::1",
    "::7f00:1",

    "not an address",
    "",
  ],
])("%j is not public", async (address) => expect(await isPublicAddress(address)).toBe(false));

test.each(["1.1.1.1", "93.184.216.34", "172.32.0.1", "2606:4700::1111", "64:ff9b::101:101", "::ffff:1.1.1.1"])(
  "%j is public",
  async (address) => expect(await isPublicAddress(address)).toBe(true),
);

test.each([
  "localhost",
  "api.localhost",
  "printer.local",
  "metadata.google.internal",
  "LOCALHOST.",
  "127.0.0.1",
  "::1",
])("the host %j is refused without a look-up", async (host) => {
  await expect(refusePrivateHost(host)).rejects.toMatchObject({ code: "private_address" });
});

function looked(addresses: readonly LookupAddress[], all: boolean): Promise<unknown[]> {
  return new Promise((resolve) => {
    publicLookup(async () => addresses)("example.com", { all }, (...given) => resolve(given));
  });
}

const publicOne = { address: "1.1.1.1", family: 4 };
const privateOne = { address: "10.0.0.1", family: 4 };

test("of a name's addresses only the public ones are given to be connected to", async () => {
  expect(await looked([privateOne, publicOne], true)).toEqual([null, [publicOne]]);
  expect(await looked([privateOne, publicOne], false)).toEqual([null, "1.1.1.1", 4]);
});

test("a name without a public address is refused", async () => {
  const [error] = await looked([privateOne], true);
  expect(error).toMatchObject({ code: "private_address", message: expect.stringContaining("example.com") });
});
