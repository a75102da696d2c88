import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;

/** Where a client calls, what it asks, and how it is judged. */
record Place(String url, String key, String model, String upstream) {
    static final ObjectMapper JSON = new ObjectMapper();
    static final JsonNode SETTINGS = parsed(System.getenv("CLIENT_SETTINGS"));
    static final String ANSWER = SETTINGS.get("answer").asText();
    static final String THOUGHT = SETTINGS.get("thought").asText();
    static final String TOOL_RESULT = SETTINGS.get("toolResult").asText();
    static final String SOURCE = SETTINGS.get("source").get("url").asText();
    static final String PICTURE = SETTINGS.get("picture").asText();
    static final String PDF = SETTINGS.get("pdf").asText();
    static final int CAP = 9_000;
    static final String UNKNOWN_KEY = "sk-nothing";
    static final String NO_MODEL = "no-such-model";

    static final Map<String, Object> LOOKUP_PROPERTIES = Map.of(
            "city", Map.of("type", "string", "description", "Name of the city"),
            "days", Map.of("type", "integer"));
    static final Map<String, Object> LOOKUP_SCHEMA =
            Map.of("type", "object", "properties", LOOKUP_PROPERTIES, "required", List.of("city"));
    static final Map<String, Object> NO_ARGUMENTS = Map.of("type", "object", "properties", Map.of());
    static final Map<String, Object> FORM_SCHEMA = Map.of(
            "type", "object",
            "properties", Map.of("city", Map.of("type", "string"), "degrees", Map.of("type", "integer")),
            "required", List.of("city", "degrees"),
            "additionalProperties", false);
    static final JsonNode FORM = JSON.valueToTree(Map.of("city", "Zürich", "degrees", 21));

    /** Input and output tokens. */
    record Tokens(long input, long output) {}

    /** One call of a tool that the vendor asks for. */
    record Call(String name, JsonNode arguments) {
        Call(String name, String json) {
            this(name, parsed(json));
        }
    }

    record Turn(boolean isUser, String text) {}

    /** The answer is not the one that the vendor gave. */
    static final class Wrong extends RuntimeException {
        Wrong(String message) {
            super(message);
        }
    }

    /** Whether the upstream tells what its model thinks. */
    boolean tellsThoughts() {
        return !upstream.equals("chat");
    }

    static String question(String name) {
        return "[" + name + "] How is the weather in Zürich?";
    }

    static List<Call> callsOf(String name) {
        List<Call> calls = new ArrayList<>();
        calls.add(new Call("lookup", "{\"city\":\"Zürich\",\"days\":3}"));
        if (name.startsWith("parallel")) calls.add(new Call("now", "{}"));
        return calls;
    }

    /** A long conversation, its last question open. */
    static List<Turn> history() {
        List<Turn> turns = new ArrayList<>();
        for (int at = 0; at < SETTINGS.get("longHistory").asInt(); at++) {
            turns.add(new Turn(true, at == 0 ? question("long-history") : "Question " + at + "?"));
            turns.add(new Turn(false, "Answer " + at + "."));
        }
        turns.add(new Turn(true, "And now?"));
        return turns;
    }

    static void same(Object actual, Object wanted, String what) {
        if (!Objects.equals(actual, wanted)) throw new Wrong(what + ": " + actual + " instead of " + wanted);
    }

    static void holds(boolean is, String what) {
        if (!is) throw new Wrong(what);
    }

    /** The error of a kind that a call ends with. */
    static <E extends Throwable> E raised(Class<E> kind, Callable<?> call) throws Exception {
        Object answer;
        try {
            answer = call.call();
        } catch (Throwable error) {
            if (kind.isInstance(error)) return kind.cast(error);
            throw error;
        }
        throw new Wrong("no error was thrown, but " + answer);
    }

    static JsonNode parsed(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException error) {
            throw new Wrong("no JSON: " + json);
        }
    }
}
