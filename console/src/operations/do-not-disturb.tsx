import { useState, type SyntheticEvent } from 'react';
import { Link } from '@tanstack/react-router';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { InputError } from '../../../sdk/typescript/errors';
import { MAX_COUNTED } from '../../../domain/count-limits';
import { useMay } from '../app/session';
import { Faults } from '../parts/faults';
import { Find } from '../parts/find';
import { Pager } from '../parts/pager';
import { QueryResult, Empty } from '../parts/states';
import type { DoNotDisturbNumber, NewDoNotDisturbNumber } from '../../../sdk/typescript/generated';
import { instantOf } from '../format/time';
import { Confirm } from '../parts/confirm';
import { useNotice } from '../parts/notices';
import { Field } from '../parts/field';
import { api } from '../api/client';

/** Manages the organization's own list, which is independent of any registry that the operator has configured. */
export function DoNotDisturb() {
  const mayAdd = useMay('operate');
  const [number, setNumber] = useState('');
  const [page, setPage] = useState(1);
  const listed = useListed({ number, page });
  const find = (text: string): void => {
    setNumber(text);
    setPage(1);
  };
  return (
    <section className="card" aria-labelledby="dnd">
      <header>
        <h2 id="dnd">Do not disturb</h2>
      </header>
      <div className="body">
        <Find
          label="Find a number"
          of="Do-not-disturb list"
          type="tel"
          placeholder="98765 43210"
          onFind={find}
        />
        {mayAdd && <AddNumber />}
      </div>
      {listed.error instanceof InputError ? (
        <div className="body">
          <Faults error={listed.error} />
        </div>
      ) : (
        <QueryResult query={listed} of="the do-not-disturb list">
          {({ data, pagination }) =>
            data.length === 0 ? (
              <Empty title={number === '' ? 'The list is empty' : 'This number isn’t on the list'} />
            ) : (
              <>
                <Numbers numbers={data} />
                <Pager
                  page={pagination.page}
                  pages={pagination.total_pages}
                  total={pagination.total_count}
                  of={pagination.total_count === 1 ? 'number' : 'numbers'}
                  isAtLeast={pagination.total_count >= MAX_COUNTED}
                  onPage={setPage}
                />
              </>
            )
          }
        </QueryResult>
      )}
    </section>
  );
}

function Numbers({ numbers }: { numbers: DoNotDisturbNumber[] }) {
  const mayRemove = useMay('configure');
  return (
    <div className="scroll">
      <table className="folds">
        <thead>
          <tr>
            <th>Number</th>
            <th>Source</th>
            <th>Added</th>
            {mayRemove && (
              <th>
                <span className="only-heard">Remove</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {numbers.map((listed) => (
            <tr key={listed.phone_number}>
              <td className="nowrap">{listed.phone_number}</td>
              <td className="wide soft">
                {listed.call_id === null ? (
                  listed.source
                ) : (
                  <Link to="/calls/$callId" params={{ callId: listed.call_id }}>
                    Requested in a call
                  </Link>
                )}
              </td>
              <td className="soft nowrap">{instantOf(listed.added_at)}</td>
              {mayRemove && (
                <td className="number">
                  <Remove of={listed} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Remove({ of: { phone_number: number, call_id: callId } }: { of: DoNotDisturbNumber }) {
  const { mutateAsync } = useRemove();
  const report = useNotice();
  const remove = async (): Promise<void> => {
    await mutateAsync(number);
    report(`${number} was removed from the list.`);
  };
  return (
    <Confirm action="Remove" title={`Remove ${number} from the list?`} isDanger onConfirm={remove}>
      Campaigns will be able to call this number again.{' '}
      {callId !== null && 'The person asked in a call not to be called again.'}
    </Confirm>
  );
}

function AddNumber() {
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
          report(`${added} was added to the list.`);
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
          {(inputProps) => (
            <input
              {...inputProps}
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
          {(inputProps) => (
            <input
              {...inputProps}
              autoComplete="off"
              maxLength={200}
              placeholder="Asked by e-mail"
              value={source}
              onChange={(event) => setSource(event.target.value)}
            />
          )}
        </Field>
        <button type="submit" className="button primary" disabled={isPending}>
          Add
        </button>
      </form>
      <p className="soft small">
        Campaigns and calls that check do-not-disturb lists won’t dial this number.
      </p>
      {error !== null && <Faults error={error} />}
    </details>
  );
}

const LIST = 'do-not-disturb';

const useListed = ({ number, page }: { number: string; page: number }) =>
  useQuery({
    queryKey: [LIST, { number, page }],
    queryFn: ({ signal }) => {
      const query = { page, page_size: 25, ...(number !== '' && { phone_number: number }) };
      return api.get('/api/do-not-disturb', { query, signal });
    },
    placeholderData: keepPreviousData,
  });

function useAdd() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: NewDoNotDisturbNumber) => api.post('/api/do-not-disturb', { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [LIST] }),
  });
}

function useRemove() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (number: string) =>
      api.post('/api/do-not-disturb/remove', { body: { phone_number: number } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [LIST] }),
  });
}
