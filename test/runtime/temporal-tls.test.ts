/**
 * Tests connections with the variables for Temporal Cloud or a server behind TLS, against a server that shows what it received. The
 * certificates in `certificates/` were made with `openssl` for `temporal.internal` and are used nowhere else.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { readAdminSettings } from '../../api/settings';
import { temporalAccess, type TemporalAccess } from '../../runtime/temporal-access';

const file = (name: string): string => join(__dirname, 'certificates', name);
const NAMESPACE = 'production.a1b2c';
/** An empty message is a valid response to every request in this file. */
const EMPTY_MESSAGE = Buffer.alloc(5);

interface Seen {
  authorization: string | undefined;
  certificate: string;
}

let server: Http2SecureServer;
let port: number;
let seen: Seen[];
const sessions = new Set<ServerHttp2Session>();

beforeAll(async () => {
  server = createSecureServer({
    key: readFileSync(file('server.key')),
    cert: readFileSync(file('server.pem')),
    ca: readFileSync(file('authority.pem')),
    requestCert: true,
    rejectUnauthorized: true,
  });
  server.on('session', (session) => sessions.add(session));
  server.on('stream', (stream, headers) => {
    seen.push({
      authorization: headers.authorization?.toString(),
      certificate: String((stream.session?.socket as TLSSocket).getPeerCertificate().subject.CN),
    });
    stream.resume();
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.end(EMPTY_MESSAGE);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
beforeEach(() => {
  seen = [];
});
afterAll(() => {
  for (const session of sessions) session.destroy();
  server.close();
});

const variables = () => ({
  DATABASE_URL: 'postgres://user@localhost/platform',
  SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
  TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
  TEMPORAL_NAMESPACE: NAMESPACE,
  TEMPORAL_API_KEY: 'the-key-of-the-namespace',
  TEMPORAL_TLS_CLIENT_CERT_PATH: file('client.pem'),
  TEMPORAL_TLS_CLIENT_KEY_PATH: file('client.key'),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: file('authority.pem'),
  TEMPORAL_TLS_SERVER_NAME: 'temporal.internal',
});

/** All processes read the variables with the same function (temporal-access.test.ts). */
const accessWith = (changes: Record<string, string | undefined> = {}) =>
  temporalAccess(readAdminSettings({ ...variables(), ...changes }).temporal);

/** Connections as the API, the worker and the admin command make them, and the worker's polling connection. */
const KINDS: [string, (access: TemporalAccess) => Promise<void>][] = [
  [
    'a client',
    async (access) => {
      const connection = Connection.lazy({ ...access, connectTimeout: 3_000 });
      try {
        await connection.ensureConnected();
        await new Client({ connection, namespace: NAMESPACE }).workflow.getHandle('campaign-1').describe();
      } catch (error) {
        // The SDK can't read the empty description, but it did request it.
        if (seen.length < 2) throw error;
      } finally {
        await connection.close();
      }
    },
  ],
  [
    'the connection of a worker',
    async (access) => {
      const connection = await NativeConnection.connect(access);
      await connection.workflowService.describeNamespace({ namespace: NAMESPACE });
      await connection.close();
    },
  ],
];

describe.each(KINDS)('%s', (_kind, request) => {
  test('presents the certificate and API key, and trusts the authority under the given name', async () => {
    await request(accessWith());
    expect(seen.length).toBeGreaterThan(1);
    for (const { authorization, certificate } of seen) {
      expect([authorization, certificate]).toEqual(['Bearer the-key-of-the-namespace', 'temporal.internal']);
    }
  });

  test.each([
    [
      'its certificate',
      { TEMPORAL_TLS_CLIENT_CERT_PATH: undefined, TEMPORAL_TLS_CLIENT_KEY_PATH: undefined },
    ],
    ['the authority', { TEMPORAL_TLS_SERVER_CA_CERT_PATH: undefined }],
    ['the name that the server has', { TEMPORAL_TLS_SERVER_NAME: 'temporal.elsewhere' }],
  ])('sends nothing without %s', async (_what, changes) => {
    await expect(request(accessWith(changes))).rejects.toThrow();
    expect(seen).toEqual([]);
  });
});
