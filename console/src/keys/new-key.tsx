import { useState, type SyntheticEvent } from 'react';
import { useScopes } from '../app/session';
import { Faults } from '../parts/faults';
import { Field } from '../parts/field';
import { OneTimeSecret } from '../parts/one-time-secret';
import type { ApiKey } from '../../../sdk/typescript/generated';
import { useCreateKey } from './queries';

/** Offers only the scopes of the user's own key, because the API grants no others. */
export function NewKey() {
  const ownScopes = useScopes();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['read']);
  const [lastDay, setLastDay] = useState('');
  const creation = useCreateKey();
  const chosen = SCOPES.filter((scope) => ownScopes.includes(scope) && scopes.includes(scope));

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    const expiry = lastDay !== '' && { expires_at: `${lastDay}T23:59:59Z` };
    creation.mutate({ name: name.trim(), scopes: chosen, ...expiry }, { onSuccess: () => setName('') });
  }

  return (
    <section className="card" aria-labelledby="new-key">
      <header>
        <h2 id="new-key">New key</h2>
      </header>
      <form className="body" onSubmit={submit}>
        {creation.data !== undefined && (
          <OneTimeSecret
            title={`${creation.data.name ?? 'The key'} was created`}
            label="API key"
            secret={creation.data.key}
            onDone={() => creation.reset()}
          />
        )}
        {creation.isError && <Faults error={creation.error} />}
        <Field label="Purpose">
          {(inputProps) => (
            <input
              {...inputProps}
              required
              maxLength={200}
              placeholder="Nightly reports"
              autoComplete="off"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <ScopeChoice chosen={scopes} onChange={setScopes} />
        <Field label="Last day (UTC)" help="Up to 90 days from now, which is the default.">
          {(inputProps) => (
            <input
              {...inputProps}
              type="date"
              value={lastDay}
              onChange={(event) => setLastDay(event.target.value)}
            />
          )}
        </Field>
        <button type="submit" className="button primary" disabled={creation.isPending || chosen.length === 0}>
          {creation.isPending ? 'Creating…' : 'Create key'}
        </button>
      </form>
    </section>
  );
}

interface ScopeChoiceProps {
  chosen: readonly Scope[];
  onChange: (scopes: readonly Scope[]) => void;
}

function ScopeChoice({ chosen, onChange }: ScopeChoiceProps) {
  const ownScopes = useScopes();
  const toggle = (scope: Scope): void =>
    onChange(chosen.includes(scope) ? chosen.filter((each) => each !== scope) : [...chosen, scope]);
  return (
    <fieldset className="stack">
      <legend>Scopes</legend>
      {SCOPES.filter((scope) => ownScopes.includes(scope)).map((scope) => (
        <label key={scope} className="check">
          <input type="checkbox" checked={chosen.includes(scope)} onChange={() => toggle(scope)} />
          <span>
            {scope}
            <span className="soft small clip">{SCOPE_HELP[scope]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

type Scope = ApiKey['scopes'][number];

const SCOPES = ['read', 'operate', 'configure'] as const satisfies readonly Scope[];

const SCOPE_HELP: Record<Scope, string> = {
  read: 'View campaigns, calls, agents and reports',
  operate: 'Make calls; start, change and stop campaigns; redeliver webhooks',
  configure: 'Change agents; create and revoke keys and secrets',
};

export const scopesOf = (scopes: readonly Scope[]): string =>
  scopes.length === SCOPES.length ? 'Everything' : SCOPES.filter((each) => scopes.includes(each)).join(', ');
