import { useState } from 'react';
import { PageHead } from '../parts/page-head';
import type { ApiKey } from '../../../sdk/typescript/generated';
import { instantOf } from '../format/time';
import { Confirm } from '../parts/confirm';
import { useNotice } from '../parts/notices';
import { Pager } from '../parts/pager';
import { QueryResult, Empty } from '../parts/states';
import { Status } from '../parts/status';
import { NewKey, scopesOf } from './new-key';
import { Secrets } from './secrets';
import { useEndSessions, useRevokeKey, useKeys } from './queries';

export function KeysPage() {
  return (
    <>
      <PageHead title="Keys" />
      <div className="columns">
        <div className="stack">
          <Keys />
          <Secrets />
        </div>
        <NewKey />
      </div>
    </>
  );
}

function Keys() {
  const [page, setPage] = useState(1);
  const keys = useKeys(page);
  return (
    <section className="card" aria-labelledby="keys">
      <header>
        <h2 id="keys">API keys</h2>
      </header>
      <QueryResult query={keys} of="the keys">
        {({ data, pagination }) =>
          data.length === 0 ? (
            <Empty title="No API keys" />
          ) : (
            <>
              <Table keys={data} />
              {pagination.total_pages > 1 && (
                <Pager
                  page={pagination.page}
                  pages={pagination.total_pages}
                  total={pagination.total_count}
                  of="keys"
                  onPage={setPage}
                />
              )}
            </>
          )
        }
      </QueryResult>
    </section>
  );
}

function Table({ keys }: { keys: ApiKey[] }) {
  return (
    <div className="scroll">
      <table className="folds">
        <thead>
          <tr>
            <th>Key</th>
            <th>State</th>
            <th>Scopes</th>
            <th>Last used</th>
            <th>Expires</th>
            <th>
              <span className="only-heard">Sign out, revoke</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <Row key={key.id} of={key} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ of: key }: { of: ApiKey }) {
  return (
    <tr>
      <td>
        {key.name ?? 'Unnamed'}
        <span className="soft small clip mono">{key.prefix}…</span>
      </td>
      <td>
        <Status of={key.state} />
      </td>
      <td className="wide">{scopesOf(key.scopes)}</td>
      <td className="soft" data-label="Last used">
        {key.last_used_at === null ? 'Never' : instantOf(key.last_used_at)}
      </td>
      <td className="soft" data-label="Expires">
        {key.expires_at === null ? 'Never' : instantOf(key.expires_at)}
      </td>
      <td className="number">
        {key.state === 'valid' && (
          <>
            <EndSessions of={key} />
            <Revoke of={key} />
          </>
        )}
      </td>
    </tr>
  );
}

function EndSessions({ of: { id, name, prefix } }: { of: ApiKey }) {
  const { mutateAsync } = useEndSessions();
  const report = useNotice();
  const title = name ?? `${prefix}…`;
  const end = async (): Promise<void> => {
    const { ended } = await mutateAsync(id);
    report(`${title}: ${ended === 1 ? '1 session' : `${ended} sessions`} ended.`);
  };
  return (
    <Confirm action="Sign out" title={`End all sessions of ${title}?`} onConfirm={end}>
      Everyone who signed in to the console with this key will be signed out. The key stays valid.
    </Confirm>
  );
}

function Revoke({ of: { id, name, prefix } }: { of: ApiKey }) {
  const { mutateAsync } = useRevokeKey();
  const report = useNotice();
  const title = name ?? `${prefix}…`;
  const revoke = async (): Promise<void> => {
    await mutateAsync(id);
    report(`${title} was revoked.`);
  };
  return (
    <Confirm action="Revoke" title={`Revoke ${title}?`} isDanger onConfirm={revoke}>
      This key and all keys created with it will stop working. Everyone who signed in to the console with any
      of them will be signed out. You can’t undo this.
    </Confirm>
  );
}
