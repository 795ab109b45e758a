import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { ListContact } from '../../../sdk/typescript/generated';
import { MAX_PEOPLE_COUNTED } from '../../../domain/count-limits';
import { useMay } from '../app/session';
import { instantOf } from '../format/time';
import { valueOf } from '../format/values';
import { Confirm } from '../parts/confirm';
import { ExpandableRow } from '../parts/expandable-row';
import { Find } from '../parts/find';
import { useNotice } from '../parts/notices';
import { Pager } from '../parts/pager';
import { Empty, QueryResult } from '../parts/states';
import { useListContacts, useRemoveContact } from './queries';

const route = getRouteApi('/contact-lists/$listId');

export function ListContacts({ listId }: { listId: string }) {
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const [person, setPerson] = useState('');
  const contacts = useListContacts(listId, page, person);
  const find = (text: string): void => {
    setPerson(text);
    void navigate({ search: {}, resetScroll: false });
  };
  return (
    <section className="card" aria-labelledby="contacts">
      <header>
        <h2 id="contacts">Contacts</h2>
      </header>
      <div className="body">
        <Find label="Find a person" of="Contacts" placeholder="Name or number" onFind={find} />
      </div>
      <QueryResult query={contacts} of="the contacts">
        {({ data, pagination }) =>
          data.length === 0 ? (
            <Empty title={person === '' ? 'The list has no contacts' : 'No matching contacts'} />
          ) : (
            <>
              <Table listId={listId} contacts={data} />
              <Pager
                page={pagination.page}
                pages={pagination.total_pages}
                total={pagination.total_count}
                of={pagination.total_count === 1 ? 'contact' : 'contacts'}
                isAtLeast={person !== '' && pagination.total_count >= MAX_PEOPLE_COUNTED}
                onPage={(next) => void navigate({ search: { page: next }, resetScroll: false })}
              />
            </>
          )
        }
      </QueryResult>
    </section>
  );
}

function Table({ listId, contacts }: { listId: string; contacts: ListContact[] }) {
  const mayRemove = useMay('operate');
  return (
    <div className="scroll">
      <table className="folds">
        <thead>
          <tr>
            <th>Contact</th>
            <th>Time zone</th>
            <th>Consent</th>
            {mayRemove && (
              <th>
                <span className="only-heard">Remove</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {contacts.map((contact) => (
            <Row key={contact.id} listId={listId} contact={contact} mayRemove={mayRemove} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  listId: string;
  contact: ListContact;
  mayRemove: boolean;
}

function Row({ listId, contact, mayRemove }: RowProps) {
  const { id, name, phone_number: number, timezone, consent_at: consentAt } = contact;
  return (
    <ExpandableRow
      id={`contact-${id}`}
      columns={mayRemove ? 4 : 3}
      head={
        <>
          {name} <span className="soft small nowrap">{number}</span>
        </>
      }
      story={<Facts contact={contact} />}
    >
      <td className="soft" data-label="Time zone">
        {timezone ?? 'That of the number'}
      </td>
      <td className="soft nowrap" data-label="Consent">
        {consentAt === null ? '–' : instantOf(consentAt)}
      </td>
      {mayRemove && (
        <td className="number">
          <Remove listId={listId} contact={contact} />
        </td>
      )}
    </ExpandableRow>
  );
}

/** Shows the fields that the table has no column for. */
function Facts({ contact }: { contact: ListContact }) {
  const facts: [name: string, value: unknown][] = [
    ['Your id', contact.external_id],
    ['Language', contact.language],
    ['Source of the consent', contact.consent_source],
    ['Added', instantOf(contact.created_at)],
    ...Object.entries(contact.metadata),
  ];
  return (
    <div className="story">
      <dl className="facts">
        {facts.map(([name, value], index) => (
          <div key={index} className="pair">
            <dt>{name}</dt>
            <dd>{valueOf(value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Remove({ listId, contact: { id, name } }: { listId: string; contact: ListContact }) {
  const { mutateAsync } = useRemoveContact(listId);
  const report = useNotice();
  const remove = async (): Promise<void> => {
    await mutateAsync(id);
    report(`${name} was removed from the list.`);
  };
  return (
    <Confirm action="Remove" title={`Remove ${name} from the list?`} isDanger onConfirm={remove}>
      Open campaigns that use the list won’t call this contact again. A live call continues.
    </Confirm>
  );
}
