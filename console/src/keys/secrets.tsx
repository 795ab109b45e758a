import { useState } from 'react';
import type { WebhookSecret } from '../../../sdk/typescript/generated';
import { instantOf } from '../format/time';
import { Confirm } from '../parts/confirm';
import { Field } from '../parts/field';
import { OneTimeSecret } from '../parts/one-time-secret';
import { QueryResult, Empty } from '../parts/states';
import { Status } from '../parts/status';
import { useRotateSecret, useSecrets } from './queries';

const OVERLAPS = [
  [24, 'For a day'],
  [168, 'For a week'],
  [720, 'For 30 days'],
  [0, 'No, it leaked'],
] as const;

export function Secrets() {
  const secrets = useSecrets();
  const rotation = useRotateSecret();
  const [hours, setHours] = useState(24);
  return (
    <section className="card" aria-labelledby="secrets">
      <header>
        <h2 id="secrets">Webhook secrets</h2>
        <div className="aside">
          <Confirm
            action="New secret"
            title="Create a new webhook secret?"
            onConfirm={() => rotation.mutateAsync(hours)}
          >
            From now on, webhooks will be signed with the new secret. Receivers that check signatures need it.
            <Field label="Keep signing with the old secret">
              {(inputProps) => (
                <select
                  {...inputProps}
                  value={hours}
                  onChange={(event) => setHours(Number(event.target.value))}
                >
                  {OVERLAPS.map(([value, words]) => (
                    <option key={value} value={value}>
                      {words}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          </Confirm>
        </div>
      </header>
      {rotation.data !== undefined && (
        <div className="body">
          <OneTimeSecret
            title="The new secret is in use"
            label="Webhook secret"
            secret={rotation.data.secret}
            onDone={() => rotation.reset()}
          >
            {`Older secrets are used until ${instantOf(rotation.data.older_sign_until)} at the latest.`}
          </OneTimeSecret>
        </div>
      )}
      <QueryResult query={secrets} of="the secrets">
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No secrets yet">
              <p>Webhooks aren’t signed.</p>
            </Empty>
          ) : (
            <Table secrets={data} />
          )
        }
      </QueryResult>
    </section>
  );
}

function Table({ secrets }: { secrets: WebhookSecret[] }) {
  return (
    <div className="scroll">
      <table className="folds">
        <thead>
          <tr>
            <th>Created</th>
            <th>State</th>
            <th>In use until</th>
          </tr>
        </thead>
        <tbody>
          {secrets.map(({ id, created_at: createdAt, state, expires_at: until }) => (
            <tr key={id}>
              <td>{instantOf(createdAt)}</td>
              <td>
                <Status of={state} />
              </td>
              <td className="soft" data-label="In use until">
                {until === null ? 'No expiry' : instantOf(until)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
