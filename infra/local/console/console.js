const status = document.querySelector('output');

async function post(button, address, body) {
  button.setAttribute('aria-busy', 'true');
  const response = await fetch(address, { method: 'POST', body: JSON.stringify(body) });
  if (response.ok) {
    location.reload();
    return;
  }
  const { error } = await response.json().catch(() => ({}));
  button.removeAttribute('aria-busy');
  status.textContent = error ?? `That did not work (${response.status}).`;
}

for (const button of document.querySelectorAll('[data-post]')) {
  button.addEventListener('click', () => {
    void post(button, button.dataset.post, JSON.parse(button.dataset.body));
  });
}

document.querySelector('[data-advance]').addEventListener('submit', (event) => {
  event.preventDefault();
  const form = event.currentTarget;
  void post(form.querySelector('button'), '/__local/clock', { advance: form.elements.advance.value });
});

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
