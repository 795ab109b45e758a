import { Link } from '@tanstack/react-router';
import type { DoNotDisturbNumber } from '../../../../sdk/typescript/generated';
import { useMay } from '../../app/session';
import { instantOf } from '../../format/time';
import { Confirm } from '../../parts/confirm';
import { useNotice } from '../../parts/notices';
import { useRemove } from './queries';

export function Numbers({ numbers }: { numbers: DoNotDisturbNumber[] }) {
  const mayRemove = useMay('configure');
  return (
    <div className="scroll">
      <table className="folds">
        <thead>
          <tr>
            <th>Number</th>
            <th>Source</th>
            <th>Since</th>
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
      Campaigns can call it again. {callId !== null && 'The person asked in a call not to be called again.'}
    </Confirm>
  );
}
