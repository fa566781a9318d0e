// The bars at the window's lower edge, while none of the places is in it where they would repeat what is there. On the
// preview the bar says where one is.
export {}

for (const bar of document.querySelectorAll<HTMLElement>('[data-bar]')) follow(bar)

function follow(bar: HTMLElement): void {
  const seen = new Set<Element>()
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) seen.add(target)
      else seen.delete(target)
    }
    bar.hidden = seen.size > 0
  })
  for (const place of document.querySelectorAll(bar.dataset['bar'] ?? '')) observer.observe(place)
  if (bar.querySelector('[data-chapter]')) showPlace(bar)
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
