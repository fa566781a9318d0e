// The bars at the window's lower edge: in the page only while none of the places is in the window where a bar would repeat
// what is there. On the preview the bar says where one is.

for (const template of document.querySelectorAll<HTMLTemplateElement>('template[data-bar]')) follow(template)

function follow(template: HTMLTemplateElement): void {
  const bar = template.content.firstElementChild
  if (!(bar instanceof HTMLElement)) return
  document.adoptNode(bar)
  const seen = new Set<Element>()
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) seen.add(target)
      else seen.delete(target)
    }
    // The bar stays while a press there waits.
    if (seen.size > 0 && !bar.querySelector('[aria-busy]')) bar.remove()
    else if (seen.size === 0 && !bar.isConnected) {
      template.after(bar)
      void wakeWithOthers(bar)
    }
  })
  for (const place of document.querySelectorAll(template.dataset['bar'] ?? '')) observer.observe(place)
  if (bar.querySelector('[data-chapter]')) showPlace(bar)
}

/** Those of its name are alive already (loader.ts). */
async function wakeWithOthers(island: HTMLElement): Promise<void> {
  const { island: name, files = '', alive } = island.dataset
  const isAlive = document.querySelector(`[data-island="${name}"][data-alive]`) !== null
  if (!name || alive !== undefined || !isAlive) return
  const [file = ''] = files.split(' ')
  const { start }: { start: (islands: HTMLElement[]) => void } = await import(file)
  start([island])
}

function showPlace(bar: HTMLElement): void {
  const part = (name: string) => bar.querySelector<HTMLElement>(`[data-${name}]`)
  const [line, title, words] = [part('share'), part('chapter'), part('read')]
  const template = words?.dataset['read'] ?? ''
  const articles = [...document.querySelectorAll('main article')]
  const titles = articles.map((article) => article.querySelector('h1, h2')?.textContent ?? '')
  let shown = ''
  function measure(): void {
    const boxes = articles.map((article) => article.getBoundingClientRect())
    const end = (boxes.at(-1)?.bottom ?? 0) + scrollY - innerHeight
    const share = end > 0 ? Math.min(scrollY / end, 1) : 1
    const chapter = Math.max(
      boxes.findLastIndex(({ top }) => top < innerHeight / 2),
      0,
    )
    // Whole percents: not every pixel draws the bar anew.
    const percent = Math.round(share * 100)
    if (shown === `${chapter} ${percent}`) return
    shown = `${chapter} ${percent}`
    if (line) line.style.scale = `${percent / 100} 1`
    if (title) title.textContent = titles[chapter] ?? ''
    if (words) words.textContent = template.replace('{percent}', String(percent))
  }
  measure()
  addEventListener('scroll', measure, { passive: true })
  addEventListener('resize', measure)
}
