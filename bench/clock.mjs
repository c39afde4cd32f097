/** Milliseconds of the monotonic clock, which all processes of a machine share. */
export const nowMs = () => Number(process.hrtime.bigint()) / 1e6;
