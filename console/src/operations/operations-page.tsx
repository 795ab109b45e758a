import { useMay } from '../app/session';
import { PageHead } from '../parts/page-head';
import { Deliveries, RedeliverFailed } from '../webhooks/deliveries';
import { Breakers } from './breakers';
import { Capacity } from './capacity';
import { DoNotDisturb } from './do-not-disturb';
import { Health } from './health';
import { StopEverything } from './stop-everything';

export function OperationsPage() {
  const mayOperate = useMay('operate');
  return (
    <>
      <PageHead title="Operations">{mayOperate && <StopEverything />}</PageHead>
      <div className="columns">
        <div className="stack">
          <Deliveries
            of={{ status: 'failed' }}
            title="Failed webhook deliveries"
            beside={mayOperate && <RedeliverFailed />}
          />
          <DoNotDisturb />
        </div>
        <div className="stack">
          <Capacity />
          <Breakers />
          <Health />
        </div>
      </div>
    </>
  );
}
