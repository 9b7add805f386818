import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { type AccountFormHandle, useAccountForm } from '../../components/account/use-account-form.ts';
import { Button } from '../../components/button.tsx';
import { Setting } from './setting.tsx';
import styles from './settings.module.css';

export interface SettingForm {
  form: AccountFormHandle;
  /** Closes the form and shows the result. */
  finish: (result: ReactNode) => void;
}

interface FormSettingProps {
  title: string;
  /** Text of the button that opens the form, before the title. @default 'Change' */
  verb?: string;
  nested?: boolean;
  value: ReactNode;
  about: string;
  /** Id for links that open the form. */
  anchor?: string;
  status?: ReactNode;
  children: (form: SettingForm) => ReactNode;
}

/** A setting with its value, whose form opens in place. The focus moves into the form and back. */
export function FormSetting({
  title,
  verb,
  nested = false,
  value,
  about,
  anchor,
  status,
  children,
}: FormSettingProps) {
  const [isOpen, setOpen] = useState(false);
  const form = useAccountForm();
  const [result, setResult] = useState<ReactNode>(null);
  const container = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);

  const open = () => {
    setResult(null);
    setOpen(true);
    start(container.current)?.focus();
  };
  const close = () => {
    form.edit();
    setOpen(false);
  };
  // The form stays open until its work is done, so that a refusal is seen.
  const busy = form.state.kind === 'sending';
  const finish = (next: ReactNode) => {
    setResult(next);
    close();
  };

  useFocusOf(isOpen, container, opener);
  useOpenByLink(anchor, open);

  return (
    <Setting
      title={title}
      nested={nested}
      about={isOpen ? about : value}
      anchor={anchor}
      action={
        !isOpen && (
          <Button ref={opener} tone="secondary" onClick={open}>
            {verb ?? 'Change'}
            <span className="visuallyHidden"> {verb ? title : title.toLowerCase()}</span>
          </Button>
        )
      }
    >
      {status}
      {isOpen && (
        // The keyboard closes it with Escape.
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
        <div
          ref={container}
          className={styles.Form}
          data-stack="3"
          tabIndex={-1}
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key === 'Escape' && !event.nativeEvent.isComposing && !busy) close();
          }}
        >
          {children({ form, finish })}
          <Button tone="quiet" wide disabled={busy} onClick={close}>
            Cancel
          </Button>
        </div>
      )}
      {result}
    </Setting>
  );
}

const start = (form: HTMLElement | null): HTMLElement | null =>
  form?.querySelector<HTMLElement>('input:not([hidden])') ?? form;

/** Moves the focus to the first field when the form opens, and to its button when it closes. */
function useFocusOf(
  isOpen: boolean,
  form: { current: HTMLElement | null },
  opener: { current: HTMLElement | null },
): void {
  const wasOpen = useRef(false);
  useEffect(() => {
    if (isOpen) start(form.current)?.focus();
    else if (wasOpen.current) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen, form, opener]);
}

/** Opens the form when the address ends with the anchor, also when the same link is followed again. */
function useOpenByLink(anchor: string | undefined, onOpen: () => void): void {
  const { hash, key } = useLocation();
  const open = useEffectEvent(onOpen);
  useEffect(() => {
    if (anchor !== undefined && hash === `#${anchor}`) open();
    // The effect doesn't read the key: a new key is a link that was followed.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [anchor, hash, key]);
}
