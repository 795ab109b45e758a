import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useState, type ReactNode } from 'react';
import { Problem } from './states';

interface ConfirmProps {
  /** Of the button that asks, and of the one that does it. */
  action: string;
  title: string;
  children: ReactNode;
  isDanger?: boolean;
  /** What fails here is said in the dialog, which stays open. */
  onConfirm: () => Promise<unknown>;
}

/** A button whose deed is asked about first. The answer that changes nothing has the focus. */
export function Confirm({ action, title, children, isDanger = false, onConfirm }: ConfirmProps) {
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  async function confirm(): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      await onConfirm();
      setOpen(false);
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  }

  return (
    <AlertDialog.Root open={isOpen} onOpenChange={setOpen}>
      <AlertDialog.Trigger className={`button ${isDanger ? 'danger' : ''}`}>{action}</AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />}>{children}</AlertDialog.Description>
          {error !== null && <Problem error={error} />}
          <div className="actions">
            <AlertDialog.Close className="button">Back</AlertDialog.Close>
            <button
              type="button"
              className={`button primary ${isDanger ? 'danger' : ''}`}
              disabled={isBusy}
              onClick={() => void confirm()}
            >
              {isBusy ? 'One moment…' : action}
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
