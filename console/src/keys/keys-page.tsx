import { PageHead } from '../parts/page-head';
import { Keys } from './keys';
import { NewKey } from './new-key';
import { Secrets } from './secrets';

export function KeysPage() {
  return (
    <>
      <PageHead title="Keys" />
      <div className="columns">
        <div className="stack">
          <Keys />
          <Secrets />
        </div>
        <NewKey />
      </div>
    </>
  );
}
