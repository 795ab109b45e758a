import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useState, type ReactNode } from 'react';
import { Problem } from './states';

interface ConfirmProps {
  /** Label of the button, and of the confirming button in the dialog. */
  action: string;
  title: string;
  children: ReactNode;
  isDanger?: boolean;
  /** If it rejects, the dialog stays open and shows the error. */
  onConfirm: () => Promise<unknown>;
}

/** Button that opens a confirmation dialog. The dialog focuses the button that does nothing. */
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
              {isBusy ? 'Please wait…' : action}
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
