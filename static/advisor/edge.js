// Small comforts of the edge pages; each works without them.
(function () {
  var held = null;
  function card(event) { return event.target.closest && event.target.closest("[data-step]"); }
  // A step is dragged to another place: the same request as its buttons send.
  function draggable() {
    document.querySelectorAll("[data-moves] > [data-step]").forEach(function (step) { step.draggable = true; });
  }
  draggable();
  // A copy button that came with a part of the page; those of the whole page are seen to elsewhere.
  function copying(root) {
    root.querySelectorAll("[data-copy][hidden]").forEach(function (button) {
      var field = document.getElementById(button.dataset.copy);
      if (!field || !navigator.clipboard) return;
      button.hidden = false;
      button.addEventListener("click", function () {
        navigator.clipboard.writeText(field.value).then(function () { button.textContent = "Copied"; });
      });
    });
  }
  document.addEventListener("dragstart", function (event) {
    held = card(event);
    if (held) event.dataTransfer.effectAllowed = "move";
  });
  document.addEventListener("dragover", function (event) {
    var over = held && card(event);
    document.querySelectorAll(".line > .over").forEach(function (step) { step.classList.remove("over"); });
    if (!over || over.parentNode !== held.parentNode) return;
    event.preventDefault();
    over.classList.add("over");
  });
  document.addEventListener("drop", function (event) {
    var over = held && card(event);
    if (!over || over === held || over.parentNode !== held.parentNode) return;
    event.preventDefault();
    var button = document.createElement("button");
    button.type = "submit";
    button.hidden = true;
    button.name = "do";
    button.value = "move:" + held.dataset.step + ":" + over.dataset.step;
    var form = document.getElementById(held.parentNode.dataset.moves);
    form.appendChild(button);
    button.click();
    button.remove();
  });
  document.addEventListener("dragend", function () {
    held = null;
    document.querySelectorAll(".line > .over").forEach(function (step) { step.classList.remove("over"); });
  });
  // After a change in place: the answer is read out, and a focus that lost its button goes to the list.
  document.addEventListener("htmx:afterSettle", function (event) {
    draggable();
    copying(event.detail.target || document);
    var said = document.getElementById("edge-said"), sentence = document.querySelector("main .say");
    if (said && sentence) said.textContent = sentence.textContent.replace(/\s+/g, " ").trim();
    if (document.activeElement === document.body) {
      var heading = document.getElementById("o-h");
      if (heading) heading.focus({ preventScroll: true });
    }
  });
})();
