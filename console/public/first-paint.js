// Runs before the first paint, so that a dark console never flashes white and the language of the page is right
// from the start. A file of its own: the content security policy allows no inline script.
(function () {
  var mode = null;
  var language = null;
  try {
    mode = localStorage.getItem('theme-mode');
    language = localStorage.getItem('i18nextLng');
  } catch (error) {
    // Storage may be forbidden by the browser; the system's preference then decides.
    console.warn('local storage is not available', error);
  }
  var dark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-theme', dark ? 'dark' : 'light');
  var spoken = (language || navigator.language || 'en').toLowerCase().indexOf('zh') === 0 ? 'zh' : 'en';
  document.documentElement.lang = spoken === 'zh' ? 'zh-CN' : 'en';
  // Only the browser knows the language: the texts of the page are fetched from here, beside its code.
  var texts = document.getElementById('first-texts');
  var files = (texts && JSON.parse(texts.textContent)[spoken]) || [];
  files.forEach(function (file) {
    var link = document.createElement('link');
    link.rel = 'modulepreload';
    link.crossOrigin = '';
    link.href = file;
    document.head.appendChild(link);
  });
})();
