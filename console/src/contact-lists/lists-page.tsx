import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState, type SyntheticEvent } from 'react';
import type { ContactList } from '../../../sdk/typescript/generated';
import { useMay } from '../app/session';
import { instantOf } from '../format/time';
import { countOf } from '../format/values';
import { Faults } from '../parts/faults';
import { Field } from '../parts/field';
import { PageHead } from '../parts/page-head';
import { Pager } from '../parts/pager';
import { Empty, QueryResult } from '../parts/states';
import { useContactLists, useCreateList } from './queries';

const route = getRouteApi('/contact-lists');

export function ContactListsPage() {
  const mayCreate = useMay('operate');
  return (
    <>
      <PageHead title="Contact lists" />
      {mayCreate ? (
        <div className="columns">
          <Lists />
          <NewList />
        </div>
      ) : (
        <Lists />
      )}
    </>
  );
}

function Lists() {
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const lists = useContactLists(page);
  return (
    <section className="card" aria-label="Contact lists">
      <QueryResult query={lists} of="the contact lists">
        {({ data, pagination }) =>
          data.length === 0 ? (
            <Empty title="No contact lists yet">
              <p>Campaigns can call the contacts of a list instead of those in a file.</p>
            </Empty>
          ) : (
            <>
              <Table lists={data} />
              <Pager
                page={pagination.page}
                pages={pagination.total_pages}
                total={pagination.total_count}
                of={pagination.total_count === 1 ? 'list' : 'lists'}
                onPage={(next) => void navigate({ search: { page: next } })}
              />
            </>
          )
        }
      </QueryResult>
    </section>
  );
}

function Table({ lists }: { lists: ContactList[] }) {
  return (
    <div className="scroll">
      <table className="folds">
        <thead>
          <tr>
            <th>List</th>
            <th className="number">Contacts</th>
            <th>Changed</th>
          </tr>
        </thead>
        <tbody>
          {lists.map(({ id, name, contacts, updated_at: changedAt }) => (
            <tr key={id}>
              <td>
                <Link to="/contact-lists/$listId" params={{ listId: id }} className="row">
                  {name}
                </Link>
              </td>
              <td className="number" data-label="Contacts">
                {countOf(contacts)}
              </td>
              <td className="soft nowrap" data-label="Changed">
                {instantOf(changedAt)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function NewList() {
  const [name, setName] = useState('');
  const { mutate, isPending, error } = useCreateList();
  const navigate = useNavigate();

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    mutate(name.trim(), {
      onSuccess: ({ id }) => void navigate({ to: '/contact-lists/$listId', params: { listId: id } }),
    });
  }

  return (
    <section className="card" aria-labelledby="new-list">
      <header>
        <h2 id="new-list">New list</h2>
      </header>
      <form className="body" onSubmit={submit}>
        <Field label="Name" help="You add the contacts on the page of the list.">
          {(inputProps) => (
            <input
              {...inputProps}
              required
              maxLength={255}
              placeholder="Customers"
              autoComplete="off"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        {error !== null && <Faults error={error} />}
        <button type="submit" className="button primary" disabled={isPending}>
          {isPending ? 'Creating…' : 'Create list'}
        </button>
      </form>
    </section>
  );
}
