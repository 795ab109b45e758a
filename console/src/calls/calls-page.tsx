import { getRouteApi, Link } from '@tanstack/react-router';
import type { Call } from '../../../sdk/typescript/generated';
import { MAX_COUNTED } from '../../../domain/count-limits';
import { creditsOf, valueOf } from '../format/values';
import { durationOf, instantOf } from '../format/time';
import { PageHead } from '../parts/page-head';
import { Pager } from '../parts/pager';
import { QueryResult, Empty } from '../parts/states';
import { Status } from '../parts/status';
import { CallFilterForm } from './call-filter-form';
import { useCalls } from './queries';

const route = getRouteApi('/calls');

export function CallsPage() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const calls = useCalls(filters);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);

  return (
    <>
      <PageHead title="Calls" />
      <CallFilterForm filters={filters} onChange={(search) => void navigate({ search })} />
      <section className="card" aria-label="Calls">
        <QueryResult query={calls} of="the calls">
          {({ data, pagination }) =>
            data.length === 0 ? (
              <NoCalls isFiltered={isFiltered} />
            ) : (
              <>
                <Table calls={data} said={filters.search} />
                <Pager
                  page={pagination.page}
                  pages={pagination.total_pages}
                  total={pagination.total_count}
                  of={pagination.total_count === 1 ? 'call' : 'calls'}
                  isAtLeast={pagination.total_count === MAX_COUNTED}
                  onPage={(page) => void navigate({ search: { ...filters, page } })}
                />
              </>
            )
          }
        </QueryResult>
      </section>
    </>
  );
}

function NoCalls({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <Empty title="No matching calls">
      <Link to="/calls">Show all calls</Link>
    </Empty>
  ) : (
    <Empty title="No calls yet">
      <p>Campaign calls, single calls and incoming calls will appear here, newest first.</p>
    </Empty>
  );
}

function Table({ calls, said }: { calls: Call[]; said: string | undefined }) {
  return (
    <div className="scroll">
      <table className="folds">
        <thead>
          <tr>
            <th>Call</th>
            <th>Status</th>
            <th>When</th>
            <th>Agent</th>
            <th className="number">Talk time</th>
            <th className="number">Cost</th>
            <th>Summary</th>
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <tr key={call.call_id}>
              <td className="who-cell">
                <Link to="/calls/$callId" params={{ callId: call.call_id }} search={{ said }} className="row">
                  {personOf(call)}
                </Link>
                <span className="soft small nowrap">{numberOf(call)}</span>
              </td>
              <td>
                <Status of={call.call_status} />
              </td>
              <td className="soft nowrap">{instantOf(call.Start_time)}</td>
              <td className="soft">{call.agent_name}</td>
              <td className="number" data-label="Talk time">
                {call.duration_ms === 0 ? '–' : durationOf(call.duration_ms)}
              </td>
              <td className="number" data-label="Cost">
                {call.call_cost === 0 ? '–' : creditsOf(call.call_cost)}
              </td>
              <td className="wide soft">
                <span className="clip">{call.call_summary ?? call.call_eval_tag ?? ''}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns the name of the callee or caller, or the number if there is no name. */
export function personOf(call: Call): string {
  const name = valueOf((call.call_metadata as Record<string, unknown>).name);
  return name === '–' ? numberOf(call) : name;
}

export function numberOf({ direction, from_number: from, to_number: to }: Call): string {
  const number = direction === 'Incoming' ? from : to;
  if (number === 'web-user') return 'Browser session';
  return number ?? 'Number withheld';
}
