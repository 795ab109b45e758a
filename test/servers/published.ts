/** Passes values from the run's setup to the test processes through the environment. */

export type ServerKind =
  | 'postgres'
  | 'temporal'
  | 'temporal-server'
  | 'time-skipping'
  | 'livekit'
  | 'chromium'
  | 'python'
  | 'mypy'
  | 's3'
  | 'pgbouncer';

export type Published =
  | 'TEST_SERVERS_FOLDER'
  | 'TEST_POSTGRES_URL'
  | 'TEST_POSTGRES_FAULT'
  | 'TEST_POSTGRES_STATEMENT_STATISTICS'
  | 'TEST_TEMPORAL_ADDRESS'
  | 'TEST_TEMPORAL_CLI'
  | 'TEST_TEMPORAL_SERVER'
  | 'TEST_TIME_SKIPPING_SERVER'
  | 'TEST_LIVEKIT_SERVER'
  | 'TEST_REDIS_SERVER'
  | 'TEST_CHROMIUM'
  | 'TEST_LIVEKIT_SIP'
  | 'TEST_SIPP'
  | 'TEST_PYTHON'
  | 'TEST_MYPY'
  | 'TEST_S3_URL'
  | 'TEST_PGBOUNCER'
  | 'TEST_WORKFLOW_BUNDLE'
  | 'TEST_WORKFLOW_BUNDLE_FAULT'
  | `TEST_MISSING_${ServerKind}`;

export function publish(name: Published, value: string): void {
  process.env[name] = value;
}

export function published(name: Published): string {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(`${name} is not set, because the setup of this layer does not open that server`);
  return value;
}

export function publishedOrNull(name: Published): string | null {
  return process.env[name] ?? null;
}
