/** Connects to the Temporal server whose open workflows are replayed, through the platform's own variables. */
import { Client, Connection } from '@temporalio/client';
import { temporalAccess, temporalProfileIn } from '../../../runtime/temporal-access';
import { errorText } from '../../../dev/error-text';

/** Temporal is unreachable or rejected the request. The message is a single line that names the server. */
export class TemporalFault extends Error {
  override readonly name = 'TemporalFault';
}

export interface OpenTemporal {
  client: Client;
  /** For example `namespace default at localhost:7233`. */
  named: string;
  /** Sends the request and converts a failure to a `TemporalFault`. */
  asked: <T>(request: () => Promise<T>) => Promise<T>;
  close: () => Promise<void>;
}

export async function openTemporal(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<OpenTemporal> {
  const temporal = temporalProfileIn(environment);
  const { address, namespace } = temporal;
  const access = temporalAccess(temporal);
  const named = `namespace ${namespace} at ${address}`;
  const asked = async <T>(request: () => Promise<T>): Promise<T> => {
    try {
      return await request();
    } catch (error) {
      throw new TemporalFault(`Temporal (${named}) gave no answer: ${reasonOf(error)}`, { cause: error });
    }
  };
  const connection = await asked(() => Connection.connect(access));
  return {
    client: new Client({ connection, namespace }),
    named,
    asked,
    close: () => connection.close(),
  };
}

/** The SDK's message describes what it did. Its cause has the message of the server or the network. */
function reasonOf(error: unknown): string {
  const said = errorText(error instanceof Error && error.cause !== undefined ? error.cause : error);
  return said.split('\n', 1)[0] ?? '';
}
