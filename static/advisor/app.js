// Small comforts; every page works without them.
(function () {
  // A file dropped on a drop zone goes into its file input.
  document.addEventListener("dragover", function (event) {
    var zone = event.target.closest(".drop");
    if (!zone) return;
    event.preventDefault();
    zone.classList.add("over");
  });
  document.addEventListener("dragleave", function (event) {
    var zone = event.target.closest(".drop");
    if (zone && !zone.contains(event.relatedTarget)) zone.classList.remove("over");
  });
  document.addEventListener("drop", function (event) {
    var zone = event.target.closest(".drop");
    if (!zone) return;
    event.preventDefault();
    zone.classList.remove("over");
    var input = zone.querySelector("input[type=file]");
    if (input && event.dataTransfer.files.length) {
      input.files = event.dataTransfer.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    }
  });
  // A button that copies the text of a field; shown only where it can.
  document.querySelectorAll("[data-copy]").forEach(function (button) {
    var field = document.getElementById(button.dataset.copy);
    if (!field || !navigator.clipboard) return;
    button.hidden = false;
    button.addEventListener("click", function () {
      field.select();
      navigator.clipboard.writeText(field.value).then(function () { button.textContent = "Copied"; });
    });
  });
})();
(function () {
  // On a narrow screen the parts of a pool begin folded.
  function fold(root) {
    if (!window.matchMedia("(max-width: 760px)").matches) return;
    var goal = document.getElementById(location.hash.slice(1)); // what the address points at stays open
    root.querySelectorAll("details[data-fold]").forEach(function (part) {
      part.open = part.contains(goal);
    });
  }
  fold(document);
  // Turned or widened: what only a narrow screen folds has no line to open it by.
  window.matchMedia("(max-width: 760px)").addEventListener("change", function (event) {
    if (!event.matches) document.querySelectorAll("details.phone-fold").forEach(function (part) { part.open = true; });
  });
  // The row of the pool that is open is marked, and the answer's sentence is read out when it changes.
  document.addEventListener("htmx:afterSwap", function (event) {
    var target = event.detail.target;
    if (!target) return;
    fold(target);
    if (target.id === "open-pool") {
      var open = target.querySelector("[data-open]");
      if (open) open.querySelector("h2").focus({ preventScroll: true });
      document.querySelectorAll("tr[data-pool]").forEach(function (row) {
        var here = open !== null && row.dataset.pool === open.dataset.open;
        row.classList.toggle("here", here);
        if (here) row.setAttribute("aria-current", "true");
        else row.removeAttribute("aria-current");
      });
    }
    var said = document.getElementById("answer-said");
    var sentence = document.querySelector("#answer .say");
    if (said && sentence && target.id === "answer") said.textContent = sentence.textContent.replace(/\s+/g, " ");
  });
})();

// A file on its way: too large is said at once; after a second, what happens and how long it takes.
(function () {
  var BYTES_PER_SECOND = 5e6; // a list with hours read both ways, measured on two cores; the bar waits at 95 %
  function bytes(form) {
    var files = form.querySelector("input[type=file]").files, total = 0;
    for (var i = 0; i < files.length; i++) total += files[i].size;
    return total;
  }
  function show(form, started, total) {
    var seconds = total / BYTES_PER_SECOND, passed = (Date.now() - started) / 1000;
    var left = Math.ceil(seconds - passed);
    form.querySelector("[data-working]").hidden = false;
    form.querySelector("progress").value = Math.min(95, (100 * passed) / Math.max(seconds, 0.1));
    form.querySelector("[data-working-left]").textContent =
      left > 0 ? "About " + left + (left === 1 ? " second left." : " seconds left.") : "A little longer than thought. Still reading.";
  }
  document.addEventListener("submit", function (event) {
    var form = event.target.closest("form[data-reads]");
    if (!form) return;
    var total = bytes(form), large = total > Number(form.dataset.limit), names = form.querySelector("input[type=file]").files;
    form.querySelector("[data-too-large]").hidden = !large;
    if (large) return event.preventDefault();
    var started = Date.now();
    form.querySelector("[data-working-name]").textContent =
      names.length === 1 ? "Reading " + names[0].name : "Reading " + names.length + " files";
    if (total > Number(form.dataset.atOnce)) { // a page of its own says how far the reading is
      form.querySelector("[data-working-left]").textContent = "Sending it; then you see how far its reading is.";
      form.querySelector("progress").removeAttribute("value");
      form.querySelector("[data-working]").hidden = false;
      return;
    }
    form.timer = setTimeout(function () {
      show(form, started, total);
      form.timer = setInterval(show, 1000, form, started, total);
    }, 1000);
  });
  window.addEventListener("pageshow", function () { // back from the next page: nothing is being read
    document.querySelectorAll("form[data-reads]").forEach(function (form) {
      clearInterval(form.timer);
      form.querySelector("[data-working]").hidden = true;
    });
  });
})();
