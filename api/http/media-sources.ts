/** Where a page reaches the media server: a socket, and beside it requests that find out why there is none. LiveKit's cloud sends browsers on to the region next to them. */
export function mediaSources(url: string): string[] {
  const { host, hostname, protocol } = new URL(url);
  const secure = protocol === 'wss:' || protocol === 'https:' ? 's' : '';
  const sources = [`ws${secure}://${host}`, `http${secure}://${host}`];
  return hostname.endsWith('.livekit.cloud')
    ? [...sources, 'wss://*.livekit.cloud', 'https://*.livekit.cloud']
    : sources;
}
