// The names of the button beside a field that shows or hides a key.
export const keyWords = { show: 'Show the key', hide: 'Hide the key' }
