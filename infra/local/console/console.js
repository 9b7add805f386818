const status = document.querySelector('output');

/** Resolves with the response's JSON as `answer`. Shows a failure and resolves with undefined. */
async function post(button, address, body) {
  button.setAttribute('aria-busy', 'true');
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return { answer };
  button.removeAttribute('aria-busy');
  status.textContent = answer.error ?? `That did not work (${response.status}).`;
  return undefined;
}

async function postAndReload(button, address, body) {
  if (await post(button, address, body)) location.reload();
}

for (const button of document.querySelectorAll('[data-post]')) {
  button.addEventListener('click', () => {
    void postAndReload(button, button.dataset.post, JSON.parse(button.dataset.body));
  });
}

document.querySelector('[data-advance]').addEventListener('submit', (event) => {
  event.preventDefault();
  const form = event.currentTarget;
  const by = form.elements.advance.value.trim();
  void postAndReload(form.querySelector('button'), '/__local/clock', {
    advance: /^\d+$/.test(by) ? `P${by}D` : by,
  });
});

/** The console and the site have the same origin, so they share their storage. */
async function signIn(button) {
  const done = await post(button, button.dataset.signIn, {});
  if (!done) return;
  const { storage, landing } = done.answer;
  // The site's pages hold this lock while they store tokens, so nothing of another user stays behind.
  await navigator.locks.request('session', () => {
    localStorage.clear();
    sessionStorage.clear();
    for (const [key, value] of Object.entries(storage)) localStorage.setItem(key, value);
  });
  location.assign(landing);
}

for (const button of document.querySelectorAll('[data-sign-in]')) {
  button.addEventListener('click', () => void signIn(button));
}

const field = document.querySelector('main search input');
if (field) {
  const entries = [...document.querySelectorAll('main tbody tr, main .messages > li')];
  const count = document.querySelector('main search output');
  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const entry of entries) {
      const text = entry.textContent.toLowerCase();
      entry.hidden = !words.every((word) => text.includes(word));
      if (!entry.hidden) shown += 1;
    }
    for (const section of document.querySelectorAll('main section')) {
      const own = [...section.querySelectorAll('tbody tr')];
      section.hidden = words.length > 0 && own.every((entry) => entry.hidden);
    }
    count.textContent = words.length === 0 ? '' : `${shown} of ${entries.length}`;
  };
  field.value = new URLSearchParams(location.search).get('q') ?? '';
  field.addEventListener('input', () => {
    const query = field.value === '' ? '' : `?q=${encodeURIComponent(field.value)}`;
    history.replaceState(undefined, '', location.pathname + query);
    show();
  });
  show();
}

// New mail appears while the inbox is open.
const { watch } = document.body.dataset;
if (watch) {
  const read = async () => (await fetch(watch)).text();
  const seen = await read();
  const look = async () => {
    if (document.hidden) return;
    const now = await read().catch(() => seen);
    if (now !== seen) location.reload();
  };
  setInterval(() => void look(), 2000);
}
