/** Whether what is written there leaves no trace. */
export const isDiscarded = (path: string): boolean => /^\/dev\/(?:null|stdout|stderr)$/.test(path);
