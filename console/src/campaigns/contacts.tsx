import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { CONTACT_STATES, type Contact } from '../../../sdk/typescript/generated';
import { inBothZones } from '../format/time';
import { Chips } from '../parts/chips';
import { Find } from '../parts/find';
import { ExpandableRow } from '../parts/expandable-row';
import { Pager } from '../parts/pager';
import { QueryResult, Empty } from '../parts/states';
import { Status, wordsOf } from '../parts/status';
import { AppendContacts } from './append/append-contacts';
import { ContactStory } from './contact-story';
import { useContacts } from './queries';

const route = getRouteApi('/campaigns/$campaignId');

interface ContactsProps {
  campaignId: string;
  mayAppend: boolean;
}

export function Contacts({ campaignId, mayAppend }: ContactsProps) {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const [person, setPerson] = useState('');
  const contacts = useContacts(campaignId, filters, person);
  const find = (text: string): void => {
    setPerson(text);
    void navigate({ search: { state: filters.state }, resetScroll: false });
  };
  return (
    <section className="card" aria-labelledby="contacts">
      <header>
        <h2 id="contacts">Contacts</h2>
        <Chips
          label="Contact state"
          choices={CONTACT_STATES}
          chosen={filters.state}
          wordsOf={wordsOf}
          onChoose={(state) => void navigate({ search: { state }, resetScroll: false })}
        />
      </header>
      <div className="body">
        <Find label="Find a person" of="Contacts" placeholder="Name or number" onFind={find} />
        {mayAppend && <AppendContacts campaignId={campaignId} />}
      </div>
      <QueryResult query={contacts} of="the contacts">
        {({ data, pagination }) =>
          data.length === 0 ? (
            <Empty title={person === '' ? 'No contacts in this state' : 'No matching contacts'} />
          ) : (
            <>
              <Table contacts={data} />
              <Pager
                page={pagination.page}
                pages={pagination.total_pages}
                total={pagination.total_count}
                of={pagination.total_count === 1 ? 'contact' : 'contacts'}
                onPage={(page) => void navigate({ search: { ...filters, page }, resetScroll: false })}
              />
            </>
          )
        }
      </QueryResult>
    </section>
  );
}

function Table({ contacts }: { contacts: Contact[] }) {
  return (
    <div className="scroll">
      <table className="folds">
        <thead>
          <tr>
            <th>Contact</th>
            <th>State</th>
            <th className="number">Dials</th>
            <th>Reason and next step</th>
          </tr>
        </thead>
        <tbody>
          {contacts.map((contact) => (
            <Row key={contact.row} contact={contact} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ contact }: { contact: Contact }) {
  return (
    <ExpandableRow
      id={`story-${contact.row}`}
      columns={4}
      head={
        <>
          {contact.name}
          <span className="soft small nowrap">{contact.phone_number}</span>
        </>
      }
      story={<ContactStory contact={contact} />}
    >
      <td>
        <Status of={contact.state} />
      </td>
      <td className="number" data-label="Dials">
        {contact.attempts.length}
      </td>
      <td className="wide soft">{inBothZones(contact.why ?? nextOf(contact))}</td>
    </ExpandableRow>
  );
}

const nextOf = ({ next, state }: Contact): string => (state === 'completed' ? 'Reached' : next.sentence);
