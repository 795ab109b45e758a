import { getRouteApi, Link } from '@tanstack/react-router';
import { useMay } from '../app/session';
import { titleOf } from '../format/values';
import { Confirm } from '../parts/confirm';
import { useNotice } from '../parts/notices';
import { QueryResult, Empty } from '../parts/states';
import { differencesOf, type Difference } from './differences';
import { useRestore, useVersion } from './queries';

const route = getRouteApi('/agents/$agentId');

interface VersionDifferencesProps {
  agentId: string;
  version: number;
  /** The current configuration. */
  current: unknown;
}

/** Shows what restoring an earlier version would change, and offers to restore it. */
export function VersionDifferences({ agentId, version, current }: VersionDifferencesProps) {
  const stored = useVersion(agentId, version);
  const mayChange = useMay('configure');
  return (
    <section className="card" aria-labelledby="differences">
      <header>
        <h2 id="differences">Version {version} compared with the current version</h2>
        <div className="aside buttons">
          <Link
            to="/agents/$agentId"
            params={{ agentId }}
            search={(before) => ({ ...before, version: undefined })}
            resetScroll={false}
            className="button plain"
          >
            Close
          </Link>
          {mayChange && stored.isSuccess && <Restore agentId={agentId} version={version} />}
        </div>
      </header>
      <QueryResult query={stored} of="the version">
        {({ config }) => <Differences of={differencesOf(config, current)} version={version} />}
      </QueryResult>
    </section>
  );
}

function Restore({ agentId, version }: { agentId: string; version: number }) {
  const { mutateAsync } = useRestore(agentId);
  const navigate = route.useNavigate();
  const report = useNotice();
  return (
    <Confirm
      action="Restore"
      title={`Restore version ${version}?`}
      onConfirm={async () => {
        const { version: restored } = await mutateAsync(version);
        await navigate({ search: (before) => ({ ...before, version: undefined, page: undefined }) });
        report(`Restored as version ${restored}. New calls will use it.`);
      }}
    >
      This creates a new version with all five sections of version {version}. The current version stays in the
      list.
    </Confirm>
  );
}

function Differences({ of, version }: { of: readonly Difference[]; version: number }) {
  if (of.length === 0) {
    return (
      <Empty title="No visible differences">
        <p>Secrets are hidden, so they can still differ.</p>
      </Empty>
    );
  }
  return (
    <div className="scroll">
      <table className="folds differences">
        <thead>
          <tr>
            <th>Field</th>
            <th>Version {version}</th>
            <th>Now</th>
          </tr>
        </thead>
        <tbody>
          {of.map(({ path, before, after }) => (
            <tr key={path.join('.')}>
              <td className="wide">{path.map(titleOf).join(' › ')}</td>
              <td className="wide" data-label={`Version ${version}`}>
                <Text of={before} tone="good" />
              </td>
              <td className="wide" data-label="Now">
                <Text of={after} tone="bad" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Text({ of, tone }: { of: string | null; tone: string }) {
  return of === null ? <span className="soft">Default</span> : <span className={`said ${tone}`}>{of}</span>;
}
