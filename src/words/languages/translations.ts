// A line for each language: its subtag and its file.
export { default as de } from './de.json' with { type: 'json' }
export { default as ja } from './ja.json' with { type: 'json' }
export { default as pl } from './pl.json' with { type: 'json' }
