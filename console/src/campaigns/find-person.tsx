import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { FoundContact } from '../../../sdk/typescript/generated';
import { MOST_PEOPLE_COUNTED } from '../../../workflows/domain/most-counted';
import { Find } from '../parts/find';
import { Pager } from '../parts/pager';
import { Answer, Empty } from '../parts/states';
import { Status } from '../parts/status';
import { useFoundContacts } from './queries';

/** The campaigns that have a person. */
export function FindPerson() {
  const [person, setPerson] = useState('');
  const [page, setPage] = useState(1);
  const found = useFoundContacts(person, page);
  const find = (wanted: string): void => {
    setPerson(wanted);
    setPage(1);
  };
  return (
    <>
      <Find label="Find a person" of="People" placeholder="Name or number" onFind={find} />
      {person !== '' && (
        <section className="card" aria-label="People found">
          <Answer query={found} of="the people">
            {({ data, pagination }) =>
              data.length === 0 ? (
                <Empty title="No campaign has such a person" />
              ) : (
                <>
                  <Table contacts={data} />
                  <Pager
                    page={pagination.page}
                    pages={pagination.total_pages}
                    total={pagination.total_count}
                    of={pagination.total_count === 1 ? 'contact' : 'contacts'}
                    isAtLeast={pagination.total_count >= MOST_PEOPLE_COUNTED}
                    onPage={setPage}
                  />
                </>
              )
            }
          </Answer>
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
          {contacts.map(
            ({
              campaign_id: campaignId,
              campaign_name: campaign,
              row,
              name,
              phone_number: number,
              state,
            }) => (
              <tr key={`${campaignId}-${row}`}>
                <td>
                  {name} <span className="soft small nowrap">{number}</span>
                </td>
                <td>
                  <Status of={state} />
                </td>
                <td className="wide">
                  <Link to="/campaigns/$campaignId" params={{ campaignId }}>
                    {campaign}
                  </Link>
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}
