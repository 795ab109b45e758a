import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { FoundContact } from '../../../sdk/typescript/generated';
import { MAX_PEOPLE_COUNTED } from '../../../domain/count-limits';
import { Find } from '../parts/find';
import { ExpandableRow } from '../parts/expandable-row';
import { Pager } from '../parts/pager';
import { QueryResult, Empty } from '../parts/states';
import { Status } from '../parts/status';
import { ContactStory } from './contact-story';
import { useContacts, useFoundContacts } from './queries';

/** Finds a person's contacts in all campaigns. */
export function FindPerson() {
  const [person, setPerson] = useState('');
  const [page, setPage] = useState(1);
  const found = useFoundContacts(person, page);
  const find = (text: string): void => {
    setPerson(text);
    setPage(1);
  };
  return (
    <>
      <Find label="Find a person" of="People" placeholder="Name or number" onFind={find} />
      {person !== '' && (
        <section className="card" aria-label="People found">
          <QueryResult query={found} of="the people">
            {({ data, pagination }) =>
              data.length === 0 ? (
                <Empty title="No campaign contains this person" />
              ) : (
                <>
                  <Table contacts={data} />
                  <Pager
                    page={pagination.page}
                    pages={pagination.total_pages}
                    total={pagination.total_count}
                    of={pagination.total_count === 1 ? 'contact' : 'contacts'}
                    isAtLeast={pagination.total_count >= MAX_PEOPLE_COUNTED}
                    onPage={setPage}
                  />
                </>
              )
            }
          </QueryResult>
        </section>
      )}
    </>
  );
}

function Table({ contacts }: { contacts: FoundContact[] }) {
  return (
    <div className="scroll">
      <table className="folds">
        <thead>
          <tr>
            <th>Contact</th>
            <th>State</th>
            <th>Campaign</th>
          </tr>
        </thead>
        <tbody>
          {contacts.map((contact) => (
            <Person key={`${contact.campaign_id}-${contact.row}`} found={contact} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Person({ found }: { found: FoundContact }) {
  const { campaign_id: campaignId, campaign_name: campaign, row, name, phone_number: number, state } = found;
  return (
    <ExpandableRow
      id={`person-${campaignId}-${row}`}
      columns={3}
      head={
        <>
          {name} <span className="soft small nowrap">{number}</span>
        </>
      }
      story={<StoryOf found={found} />}
    >
      <td>
        <Status of={state} />
      </td>
      <td className="wide">
        <Link to="/campaigns/$campaignId" params={{ campaignId }}>
          {campaign}
        </Link>
      </td>
    </ExpandableRow>
  );
}

/** Searches the campaign for the contact's number when the row opens. Only a few rows of a campaign have the same number. */
function StoryOf({ found: { campaign_id: campaignId, phone_number: number, row } }: { found: FoundContact }) {
  const contacts = useContacts(campaignId, {}, number);
  return (
    <QueryResult query={contacts} of="the contact">
      {({ data }) => {
        const contact = data.find((each) => each.row === row);
        return contact === undefined ? (
          <Empty title="This contact no longer exists" />
        ) : (
          <ContactStory contact={contact} />
        );
      }}
    </QueryResult>
  );
}
