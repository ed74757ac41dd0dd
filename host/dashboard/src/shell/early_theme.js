// Runs before the first paint: a chosen theme is there at once. Without a choice the system's holds.
try {
  var theme = localStorage.getItem('galley-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch (_) {}
