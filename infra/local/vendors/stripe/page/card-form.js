// The form of the checkout, billing and invoice pages. In the checkout frame it also messages the
// embedding page.

const form = document.querySelector('form');
const embeddedIn = window.parent === window ? undefined : new URLSearchParams(location.search).get('parent');

/** Only the embedding page receives the message. */
const tell = (message) => {
  if (embeddedIn) window.parent.postMessage(message, embeddedIn);
};

new ResizeObserver(() => {
  const { height } = document.documentElement.getBoundingClientRect();
  tell({ type: 'height', height: Math.ceil(height) });
}).observe(document.documentElement);

// The session's colours. The page's policy allows no inline styles.
const look = document.querySelector('.checkout')?.dataset;
if (look?.background) document.documentElement.style.setProperty('--surface', look.background);
if (look?.button) document.documentElement.style.setProperty('--accent', look.button);

const show = (element, text) => {
  element.textContent = text ?? '';
  element.hidden = !text;
};

/** Groups digits as they are typed at the end. */
const group = (input, format) =>
  input?.addEventListener('input', (event) => {
    const atEnd = input.selectionStart === input.value.length;
    if (atEnd && !event.inputType?.startsWith('delete'))
      input.value = format(input.value.replaceAll(/\D/g, ''));
  });

if (form) {
  const button = form.querySelector('button');
  const refusal = form.querySelector('.refusal');
  const label = button.textContent;
  let state = 'idle';

  const showProblems = (problems) => {
    const fields = [...form.elements].filter((element) => element instanceof HTMLInputElement);
    for (const input of fields) {
      input.setAttribute('aria-invalid', String(Boolean(problems[input.name])));
      show(document.getElementById(`${input.name}-problem`), problems[input.name]);
    }
    fields.find((input) => problems[input.name])?.focus();
  };

  const become = (next) => {
    state = next;
    // Not `disabled`, which would move the focus away from the button.
    button.setAttribute('aria-disabled', String(next !== 'idle'));
    button.textContent = next === 'busy' ? form.dataset.busy : next === 'done' ? form.dataset.done : label;
  };

  const send = async (answered) => {
    try {
      const response = await fetch(form.dataset.action, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...Object.fromEntries(new FormData(form)), ...answered }),
      });
      return await response.json();
    } catch {
      const message = 'Your payment could not be sent. Check your connection and try again.';
      return { kind: 'refused', message };
    }
  };

  const dialog = form.querySelector('dialog');
  /** The cardholder's answer to the bank. Empty if the dialog was closed. */
  const authenticate = () =>
    new Promise((resolve) => {
      dialog.returnValue = '';
      dialog.addEventListener('close', () => resolve(dialog.returnValue), { once: true });
      dialog.showModal();
    });
  dialog?.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLButtonElement) dialog.close(target.value);
  });

  const submit = async () => {
    become('busy');
    show(refusal, '');
    showProblems({});
    let answer = await send();
    if (answer.kind === 'challenge') {
      const authentication = await authenticate();
      answer = authentication ? await send({ authentication }) : { kind: 'closed' };
    }
    if (answer.kind === 'done') {
      become('done');
      tell({ type: 'complete', returnUrl: answer.returnUrl });
      if (!embeddedIn && answer.returnUrl) location.assign(answer.returnUrl);
      return;
    }
    become('idle');
    if (answer.kind === 'invalid') showProblems(answer.problems);
    else show(refusal, answer.message);
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (state === 'idle') void submit();
  });

  const country = form.elements.namedItem('country');
  const taxes = document.getElementById('taxes');
  const showTaxes = () => show(taxes, country.selectedOptions[0]?.dataset.taxes);
  if (taxes) {
    country.addEventListener('change', showTaxes);
    showTaxes();
  }

  group(form.elements.namedItem('number'), (digits) =>
    /^3[47]/.test(digits)
      ? [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10, 15)].filter(Boolean).join(' ')
      : (digits.slice(0, 19).match(/.{1,4}/g) ?? []).join(' '),
  );
  group(form.elements.namedItem('expiry'), (digits) => {
    // A first digit above 1 can only be a month without its zero.
    const four = (/^[2-9]/.test(digits) ? `0${digits}` : digits).slice(0, 4);
    return four.length < 2 ? four : `${four.slice(0, 2)} / ${four.slice(2)}`;
  });
  group(form.elements.namedItem('cvc'), (digits) => digits.slice(0, 4));
}
