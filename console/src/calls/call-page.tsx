import { getRouteApi, Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { Call } from '../../../sdk/typescript/generated';
import { useMay } from '../app/session';
import { Confirm } from '../parts/confirm';
import { useNotice } from '../parts/notices';
import { QueriedPage, PageHead } from '../parts/page-head';
import { Status } from '../parts/status';
import { Deliveries } from '../webhooks/deliveries';
import { CallFacts } from './call-facts';
import { CallTimeline } from './call-timeline';
import { ListenIn } from './listen-in';
import { LiveConversation } from './live-conversation';
import { numberOf, personOf } from './calls-page';
import { Conversation } from './conversation';
import { Findings } from './findings';
import { useCall, useHangUp } from './queries';
import { Recording, type Player } from './recording';

const route = getRouteApi('/calls/$callId');

export function CallPage() {
  const { callId } = route.useParams();
  const { said } = route.useSearch();
  const call = useCall(callId);
  return (
    <QueriedPage query={call} of="the call" title="Call" back={<Link to="/calls">Calls</Link>}>
      {(found) => <OneCall key={callId} call={found} said={said} />}
    </QueriedPage>
  );
}

function OneCall({ call, said }: { call: Call; said: string | undefined }) {
  const player = useRef<Player>(null);
  const [heardMs, setHeardMs] = useState<number | null>(null);
  const mayOperate = useMay('operate');
  return (
    <>
      <PageHead
        title={personOf(call)}
        back={<Link to="/calls">Calls</Link>}
        beside={
          <>
            <Status of={call.call_status} />
            <span className="soft">{numberOf(call)}</span>
          </>
        }
      >
        {call.End_time === null && mayOperate && <HangUp call={call} />}
      </PageHead>
      <div className="columns">
        <div className="stack">
          {call.recording_api !== null && <Recording ref={player} call={call} onMoment={setHeardMs} />}
          {call.End_time === null ? (
            <>
              {call.call_status === 'in progress' && mayOperate && <ListenIn callId={call.call_id} />}
              <LiveConversation callId={call.call_id} />
            </>
          ) : (
            <Conversation
              call={call}
              heardMs={heardMs}
              said={said}
              {...(call.recording_api !== null && { onHear: (ms: number) => player.current?.playFrom(ms) })}
            />
          )}
          <Deliveries of={{ call_id: call.call_id }} title="Webhook deliveries" />
        </div>
        <div className="stack">
          <CallFacts call={call} />
          <CallTimeline call={call} />
          <Findings call={call} />
        </div>
      </div>
    </>
  );
}

function HangUp({ call }: { call: Call }) {
  const { mutateAsync } = useHangUp(call.call_id);
  const report = useNotice();
  return (
    <Confirm
      action="Hang up"
      title="End this call?"
      isDanger
      onConfirm={async () => {
        await mutateAsync();
        report('The call is ending.');
      }}
    >
      A call that hasn’t been dialled yet is cancelled. If the call belongs to a campaign, the campaign won’t
      call this contact again.
    </Confirm>
  );
}
