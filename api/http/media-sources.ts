/** Returns the CSP sources of the media server: its WebSocket, and the HTTP requests that diagnose a failed one. LiveKit Cloud redirects browsers to their nearest region. */
export function mediaSources(url: string): string[] {
  const { host, hostname, protocol } = new URL(url);
  const secure = protocol === 'wss:' || protocol === 'https:' ? 's' : '';
  const sources = [`ws${secure}://${host}`, `http${secure}://${host}`];
  return hostname.endsWith('.livekit.cloud')
    ? [...sources, 'wss://*.livekit.cloud', 'https://*.livekit.cloud']
    : sources;
}
