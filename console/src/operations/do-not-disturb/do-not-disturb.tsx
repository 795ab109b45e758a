import { useState } from 'react';
import { InputError } from '../../../../sdk/typescript/errors';
import { MAX_COUNTED } from '../../../../domain/count-limits';
import { useMay } from '../../app/session';
import { Faults } from '../../parts/faults';
import { Find } from '../../parts/find';
import { Pager } from '../../parts/pager';
import { Answer, Empty } from '../../parts/states';
import { AddNumber } from './add-number';
import { Numbers } from './numbers';
import { useListed } from './queries';

/** Manages the organization's own list. It's independent of a registry that the operator may have configured. */
export function DoNotDisturb() {
  const mayAdd = useMay('operate');
  const [number, setNumber] = useState('');
  const [page, setPage] = useState(1);
  const listed = useListed({ number, page });
  const find = (wanted: string): void => {
    setNumber(wanted);
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
        <Answer query={listed} of="the do-not-disturb list">
          {({ data, pagination }) =>
            data.length === 0 ? (
              <Empty title={number === '' ? 'No number is on the list' : 'This number is not on the list'} />
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
        </Answer>
      )}
    </section>
  );
}
