import { useState, type SyntheticEvent } from 'react';
import { Faults } from '../../parts/faults';
import { Field } from '../../parts/field';
import { useNotice } from '../../parts/notices';
import { useAdd } from './queries';

export function AddNumber() {
  const [number, setNumber] = useState('');
  const [source, setSource] = useState('');
  const { mutate, isPending, error } = useAdd();
  const report = useNotice();

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    mutate(
      { phone_number: number.trim(), source: source.trim() === '' ? 'console' : source.trim() },
      {
        onSuccess: ({ phone_number: added }) => {
          report(`${added} is on the list.`);
          setNumber('');
          setSource('');
        },
      },
    );
  }

  return (
    <details>
      <summary>Add a number</summary>
      <form className="filters" aria-label="Add a number" onSubmit={submit}>
        <Field label="Number">
          {(ties) => (
            <input
              {...ties}
              type="tel"
              autoComplete="off"
              required
              maxLength={64}
              value={number}
              onChange={(event) => setNumber(event.target.value)}
            />
          )}
        </Field>
        <Field label="Source" className="wide">
          {(ties) => (
            <input
              {...ties}
              autoComplete="off"
              maxLength={200}
              placeholder="asked by e-mail"
              value={source}
              onChange={(event) => setSource(event.target.value)}
            />
          )}
        </Field>
        <button type="submit" className="button primary" disabled={isPending}>
          Add
        </button>
      </form>
      <p className="soft small">Campaigns and calls that check do-not-disturb lists no longer dial it.</p>
      {error !== null && <Faults error={error} />}
    </details>
  );
}
