import { KEYED_PROVIDERS, keyVariable } from '../../../agent/providers/speech-settings';
import { textOf } from './compose-file';

/** Variables that OpenTelemetry's SDK reads in every process that sends traces. */
const OF_TRACES = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG'];

const OF_TEMPORAL = namesIn('runtime/temporal-access.ts', /^ {2}([A-Z][A-Z0-9_]+): /gm);

/** Storage variables of API, worker and command line, which share the files. */
const OF_STORAGE = declaredIn('runtime/storage/index.ts', 'export interface StorageEnvironment');

/** The variables that each process reads, found in its source code by the way it declares or reads them. */
export const variablesReadBy: Readonly<Record<string, readonly string[]>> = {
  api: [...declaredIn('api/settings.ts'), ...OF_STORAGE, ...OF_TEMPORAL, ...OF_TRACES],
  worker: [...declaredIn('worker/settings.ts'), ...OF_STORAGE, ...OF_TEMPORAL, ...OF_TRACES],
  admin: [...pickedForAdmin(), ...OF_STORAGE, ...OF_TEMPORAL],
  agent: [
    ...new Set(namesIn('agent/settings.ts', /read\.\w+\('([A-Z][A-Z0-9_]+)'/g)),
    ...KEYED_PROVIDERS.map(keyVariable),
  ],
  migrate: namesIn('db/migrate.ts', /process\.env\.([A-Z][A-Z0-9_]+)/g),
};

/** Variables of the MCP server, which isn't a service in Compose. */
export const readByMcp: readonly string[] = namesIn('mcp/settings.ts', /\btext\('([A-Z][A-Z0-9_]+)'/g);

/** Returns the first defined group of each match. */
export function namesIn(file: string, form: RegExp): string[] {
  return [...textOf(file).matchAll(form)].map(
    (match) => match.slice(1).find((name) => name !== undefined) ?? '',
  );
}

/** Reads the variables from an environment type. The compiler rejects reads of variables that the type doesn't declare. */
function declaredIn(file: string, type = 'interface Environment extends StorageEnvironment'): string[] {
  const [, fields = ''] = new RegExp(`^${type} \\{\\n([^}]*)^\\}`, 'm').exec(textOf(file)) ?? [];
  return [...fields.matchAll(/^ {2}([A-Z][A-Z0-9_]+)\??: /gm)].map(([, name = '']) => name);
}

function pickedForAdmin(): string[] {
  const [, names = ''] =
    /^type AdminEnvironment = StorageEnvironment &\s+Pick<\s*Environment,\s*([^>]*)>/m.exec(
      textOf('api/settings.ts'),
    ) ?? [];
  return [...names.matchAll(/'([A-Z][A-Z0-9_]+)'/g)].map(([, name = '']) => name);
}
